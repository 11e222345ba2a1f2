import type { Catalog } from '../catalog/catalog';
import type { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import { type CodeDeps, codeDepsOf, type ScriptHost } from '../code/scriptHost';
import type { RenderResult } from '../hooks/resultRenderer';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import { type ToolRun, type ToolRunner, type ToolSource, told } from '../ports';
import type { SearchPort } from '../search/types';
import type { Settings } from '../settings/settings';
import { asObject } from '../text/objects';
import type { Timer } from '../text/signals';
import { TokenCounter } from '../tokens/tokenCounter';
import { answerCalls, findTool } from '../turn/calls';
import { parseCallInput } from '../turn/searchTools';
import { AgentTurns } from './agentTurns';

/** Stands before the names of the three tools in `vscode.lm.tools`, as in package.json. */
export const AGENT_PREFIX = 'toolsearch_';

/** One call of one of the three tools. */
export interface AgentCall {
  readonly tool: typeof SEARCH_TOOLS | typeof DESCRIBE_TOOL | typeof CALL_TOOL | typeof RUN_CODE;
  readonly input: unknown;
  /** Names the chat that the call belongs to. */
  readonly chat: string;
  /** Set where no agent makes it. */
  readonly by?: 'user';
}

/** How the calls of one chat are run. */
export interface AgentRun {
  readonly runner: ToolRunner;
  readonly asking: CodeDeps['asking'];
}

/** What a call of `call_tool` would run. */
export interface NamedCall {
  readonly tool: Tool;
  readonly args: { readonly [name: string]: unknown };
}

/** What the three language model tools do for any agent in VS Code: a bridge over the whole catalog. */
export interface AgentTools {
  /**
   * Never rejects: what is wrong with the input, or over a limit of the turn, is in the result, in words for the model.
   */
  answer(call: AgentCall, how: AgentRun, signal: AbortSignal): Promise<ToolRun>;
  /** The real tool that an input of `call_tool` names; undefined where it names none. */
  named(input: unknown): NamedCall | undefined;
  dispose(): void;
}

export interface AgentToolsDeps {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly ledger: Ledger;
  readonly settings: () => Settings;
  readonly renderResult: RenderResult;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Hears what the user should know. */
  readonly warn: (message: string) => void;
  readonly timer?: Timer;
  /** What scripts run with. */
  readonly scripts: ScriptHost;
}

export function createAgentTools(deps: AgentToolsDeps): AgentTools {
  const { source, search, ledger, now } = deps;
  const turns = new AgentTurns(ledger, deps.settings, now, deps.timer);
  const counter = new TokenCounter();
  let calls = 0;
  // An agent has the tools of VS Code anyway.
  const findable = (catalog: Catalog) => catalog.tools.filter((tool) => tool.origin === 'mcp' || deps.settings().scope === 'all');
  return {
    answer({ tool, input, chat, by }, { runner, asking }, signal) {
      const settings = deps.settings();
      const { catalog } = source;
      const deferred = findable(catalog);
      const callId = `agent_${++calls}`;
      return turns.during(chat, turnStarted(tool, input, deferred.length, settings, by), async (turn) => {
        const [result] = await answerCalls(
          [{ callId, name: tool, input }],
          {
            round: 1,
            catalog,
            eager: [],
            deferred,
            discovered: turn.found,
            strategy: settings.strategy,
            delivery: 'bridge',
            prefix: AGENT_PREFIX,
            settings,
            search,
            runner,
            calls: turn.calls,
            counter,
            now,
            renderResult: deps.renderResult,
            record: turn.record,
            code:
              settings.codeMode === 'off' || deps.scripts.sandbox.unavailable !== undefined
                ? undefined
                : codeDepsOf(deps.scripts, chat, asking),
            sink: {
              searching: () => {},
              calling: () => {},
              found: (tools) => {
                for (const { id } of tools) turn.found.add(id);
              },
            },
            warn: (message) => {
              turn.record({ type: 'warned', message });
              deps.warn(message);
            },
          },
          signal,
        );
        return result ?? told('failed', `${AGENT_PREFIX}${tool} gave no answer.`);
      });
    },
    named(input) {
      const parsed = parseCallInput(input);
      const tool = parsed.ok ? findTool(parsed.value.name, { eager: [], deferred: findable(source.catalog) }) : undefined;
      const args = parsed.ok ? asObject(parsed.value.args) : undefined;
      return tool && args ? { tool, args } : undefined;
    },
    dispose: () => turns.dispose(),
  };
}

/** What the agent was asked is its secret: the turn is named after its first call. */
function turnStarted(
  tool: AgentCall['tool'],
  input: unknown,
  deferred: number,
  settings: Settings,
  by: AgentCall['by'],
): Extract<LedgerEntry, { type: 'turnStarted' }> {
  const object = asObject(input);
  const words = [object?.queries ?? object?.query ?? object?.names ?? object?.name ?? object?.title ?? []].flat().map(String).join(', ');
  return {
    type: 'turnStarted',
    prompt: `${AGENT_PREFIX}${tool} ${words}`.trim(),
    model: by === 'user' ? { id: 'user', vendor: 'vscode', name: 'You' } : { id: 'agent', vendor: 'vscode', name: 'Another agent' },
    strategy: { name: settings.strategy, why: settings.strategy === 'auto' ? 'auto: suits the query' : 'set in toolsearch.strategy' },
    delivery: { name: 'bridge', why: by === 'user' ? 'you ran a script' : 'another agent of VS Code uses the tools of Tool Search' },
    counts: { eager: 0, discovered: 0, deferred },
  };
}
