import type { Catalog } from '../catalog/catalog';
import { CALL_TOOL, DESCRIBE_TOOL, isSearchName, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool, ToolDefinition } from '../catalog/tool';
import { type CodeDeps, codeDepsOf, type ScriptHost } from '../code/codeDeps';
import { toolNamed } from '../code/toolNamed';
import { resultText } from '../conversation/resultText';
import type { EntryOf } from '../ledger/events';
import { guidanceText } from '../planning/guidance';
import { hiddenBy } from '../planning/hidden';
import { ownDefinitions } from '../planning/ownTools';
import { type ToolRun, type ToolRunner, toolMessage } from '../ports';
import type { Settings } from '../settings/settings';
import { parseCallInput } from '../turn/ownToolInputs';
import type { TurnServices } from '../turn/turnServices';
import { TokenCounter } from '../usage/tokenCounter';
import { definitionsLength, definitionText } from '../usage/tokens';
import { cut } from '../util/cut';
import { l10n } from '../util/l10n';
import { asObject } from '../util/objects';
import { oneLine } from '../util/plainText';
import { AgentTurns } from './agentTurns';

/** The prefix of our tools' names in `vscode.lm.tools`, as in package.json. Clients of the MCP endpoint get none. */
export const AGENT_PREFIX = 'toolsearch_';

/** The maximum number of characters of the name that a client gives itself. */
const MAX_CLIENT_NAME = 60;

/** Matches the names of clients that defer tools of MCP servers, ours too. */
const DEFERRING = /claude|copilot|visual studio code|vscode/i;

/** One call of one of our tools. */
export interface AgentCall {
  readonly tool: typeof SEARCH_TOOLS | typeof DESCRIBE_TOOL | typeof CALL_TOOL | typeof RUN_CODE;
  readonly input: unknown;
  /** Identifies the chat that the call belongs to. */
  readonly chat: string;
  /**
   * Set if the call isn't made by an agent of VS Code: `user` for the user, or the name that a client of the MCP
   * endpoint gives itself. `onlyByName`: the client's protocol version has no sessions, so only its name identifies it.
   */
  readonly by?: 'user' | { readonly client: string; readonly onlyByName?: true };
}

/** How to run the calls of one chat. */
interface AgentRun {
  readonly runner: ToolRunner;
  readonly asking: CodeDeps['asking'];
}

/** Our tools for any agent, in VS Code or outside: search, describe, call and scripts over the whole catalog. */
export interface AgentTools {
  /** Answers a call. Never rejects: wrong input and limits of the turn are in the result, in words for the model. */
  answer(call: AgentCall, how: AgentRun, signal: AbortSignal): Promise<ToolRun>;
  /** Returns the tool that an input of `call_tool` names; undefined if there is none. */
  named(input: unknown): Tool | undefined;
  /**
   * Returns the current definitions of our tools, for clients that list them. VS Code reads package.json instead. The
   * search names the servers if the client defers tools, since the guidance names them for all others.
   * @param client the name that the client gives itself; undefined for the definitions with all that they may contain
   */
  definitions(client?: string): readonly ToolDefinition[];
  /** Returns guidance for a client's model before its first call; empty if there is nothing to find. */
  guidance(): string;
  dispose(): void;
}

export interface AgentToolsDeps {
  readonly services: TurnServices;
  readonly scripts: ScriptHost;
  /** Writes a message for the user to the log. */
  readonly warn: (message: string) => void;
}

export function createAgentTools({ services, scripts, warn }: AgentToolsDeps): AgentTools {
  const { source, ledger, user, clock } = services;
  const turns = new AgentTurns(ledger, user.settings, clock);
  const counter = new TokenCounter();
  let calls = 0;
  // An agent has VS Code's tools anyway, so they aren't searched, except with scope `all`.
  const findable = (catalog: Catalog) => {
    const settings = user.settings();
    const hides = hiddenBy({ settings, pins: user.pins() });
    return catalog.tools.filter((tool) => (tool.origin === 'mcp' || settings.scope === 'all') && !hides(tool));
  };
  const runsScripts = () => user.settings().codeMode !== 'off' && scripts.sandbox.unavailable === undefined;
  return {
    answer({ tool, input, chat, by }, { runner, asking }, signal) {
      const settings = user.settings();
      const { catalog } = source;
      const deferred = findable(catalog);
      const callId = `agent_${++calls}`;
      const prefix = typeof by === 'object' ? '' : AGENT_PREFIX;
      const started = turnStarted({ tool, input, chat, by, settings }, deferred.length);
      return turns.during(chat, started, async (turn) => {
        const reply = turn.replies;
        const { found, queries } = turn.searches;
        const { answerCalls } = await import('../turn/calls');
        const [result] = await answerCalls(
          [{ callId, name: tool, input }],
          {
            turn: { services, settings, counter, runner, limits: turn.calls, record: turn.record },
            round: { number: 1, catalog, eager: [], deferred, discovered: found, searched: queries },
            offer: { delivery: 'bridge', strategy: settings.strategy, prefix },
            code: runsScripts() ? codeDepsOf(scripts, chat, asking) : undefined,
            sink: {
              searching: () => {},
              calling: () => {},
              found: (tools) => {
                for (const { id } of tools) found.add(id);
              },
              warn: (message) => {
                turn.record({ type: 'warned', message });
                warn(message);
              },
            },
          },
          signal,
        );
        for (const query of result?.search?.queries ?? []) queries.add(query.toLowerCase());
        const answered = result ?? toolMessage('failed', `${prefix}${tool} gave no answer.`);
        if (by !== 'user')
          turn.uses.push({
            reply,
            isSearch: isSearchName(tool),
            answer: counter.estimate(resultText(answered).length, 'searches').value,
            definitions: counter.estimate(definitionsLength(deferred)).value,
            ours: counter.estimate(
              ownDefinitions('bridge', { code: runsScripts(), prefix }).map(definitionText).join().length,
            ).value,
          });
        return answered;
      });
    },
    named(input) {
      const parsed = parseCallInput(input);
      return parsed.ok ? toolNamed(parsed.value.name, findable(source.catalog)) : undefined;
    },
    definitions(client) {
      const servers = client === undefined || DEFERRING.test(client) ? serversOf(findable(source.catalog)) : [];
      return ownDefinitions('bridge', { strategy: user.settings().strategy, code: runsScripts(), servers });
    },
    guidance() {
      const deferred = findable(source.catalog);
      const servers = serversOf(deferred);
      return deferred.length > 0
        ? guidanceText({ deferred: deferred.length, servers, delivery: 'bridge', workspace: user.workspace() })
        : '';
    },
    dispose: () => turns.dispose(),
  };
}

function serversOf(tools: readonly Tool[]): readonly string[] {
  return [...new Set(tools.map(({ server }) => server))];
}

/** Titles of turns, by the tool of their first call. VS Code doesn't pass the user's question to a tool. */
const TITLES: { readonly [tool in AgentCall['tool']]: string } = {
  [SEARCH_TOOLS]: 'Search',
  [DESCRIBE_TOOL]: 'Describe',
  [CALL_TOOL]: 'Call',
  [RUN_CODE]: 'Script',
};

/** Returns the event that starts an agent's turn. The agent's question is unknown, so its first call is the title. */
function turnStarted(
  { tool, input, chat, by, settings }: AgentCall & { readonly settings: Settings },
  deferred: number,
): EntryOf<'turnStarted'> {
  const object = asObject(input);
  const words = [object?.queries ?? object?.query ?? object?.names ?? object?.name ?? object?.title ?? []]
    .flat()
    .filter((word) => typeof word === 'string')
    .join(', ');
  const { model, why } = askerOf(by);
  return {
    type: 'turnStarted',
    prompt: words === '' ? TITLES[tool] : `${TITLES[tool]}: ${words}`,
    model,
    strategy: {
      name: settings.strategy,
      why: settings.strategy === 'auto' ? l10n.t('auto: suits the query') : l10n.t('set in toolsearch.strategy'),
    },
    delivery: { name: 'bridge', why },
    counts: { eager: 0, discovered: 0, deferred },
    // The name of a client's session stays private and isn't recorded.
    ...(by === undefined && chat !== '' ? { chat } : {}),
    ...(by === 'user' ? {} : { agent: true as const }),
  };
}

/** The end of a reason: what an agent's savings are compared with, and that its requests aren't known. */
const estimated = () =>
  l10n.t(
    'its savings are estimated against these servers’ tools in each of its requests, which aren’t known themselves',
  );

/** Returns a name for the calling agent. It takes the place of the model, which is unknown. */
function askerOf(by: AgentCall['by']) {
  if (by === undefined)
    return {
      model: { id: 'agent', vendor: 'vscode', name: l10n.t('Another agent') },
      why: `${l10n.t('another agent of VS Code uses the tools of Tool Search')}; ${estimated()}`,
    };
  if (by === 'user')
    return { model: { id: 'user', vendor: 'vscode', name: l10n.t('You') }, why: l10n.t('you ran it in the inspector') };
  const name = cut(oneLine(by.client), MAX_CLIENT_NAME) || l10n.t('A client without a name');
  return {
    model: { id: 'client', vendor: 'mcp', name },
    why: `${l10n.t('a client of the MCP endpoint uses the tools of Tool Search')}; ${estimated()}`,
  };
}
