import { type SearchPort, type ToolRun, type ToolRunner, type ToolSource, told } from './ports';
import { answerDescribe, answerSearch, asObject, parseCallInput, parseDescribeInput, parseSearchInput } from './searchTools';
import type { Settings } from './settings';
import type { Json, Tool } from './tool';

/** Stands before the names of the three tools in `vscode.lm.tools`, as in package.json. */
const AGENT_PREFIX = 'toolsearch_';

/** What the three language model tools do for any agent in VS Code: a bridge over the whole catalog. */
export interface AgentTools {
  /** Rejects with a sentence for the model where the input can't be read. */
  search(input: unknown, signal: AbortSignal): Promise<{ readonly [key: string]: Json }>;
  describe(input: unknown): { readonly [key: string]: Json };
  /** The tool that `call` would run and its arguments; undefined where it would run none. */
  toCall(input: unknown): RealCall | undefined;
  call(input: unknown, runner: ToolRunner, signal: AbortSignal): Promise<ToolRun>;
}

/** A call as the user should see it: of the real tool. */
export interface RealCall {
  readonly tool: Tool;
  readonly args: { readonly [name: string]: unknown };
}

export function createAgentTools(world: {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly settings: () => Settings;
}): AgentTools {
  const find = (name: string): Tool | undefined => {
    const { catalog } = world.source;
    return catalog.byModelName.get(name) ?? catalog.byId.get(name) ?? catalog.tools.find((tool) => tool.invokeName === name);
  };
  return {
    async search(input, signal) {
      const settings = world.settings();
      const parsed = parseSearchInput(input, settings);
      if (!parsed.ok) throw new Error(parsed.message);
      const { queries, server, limit, strategy = settings.strategy } = parsed.value;
      const { catalog } = world.source;
      // An agent has the tools of VS Code anyway.
      const candidates = new Set(catalog.tools.filter((tool) => tool.origin === 'mcp' || settings.scope === 'all').map((tool) => tool.id));
      const answers = await Promise.all(
        queries.map(async (query) => ({
          query,
          outcome: await world.search.search({ query, strategy, limit, candidates, ...(server ? { server } : {}) }, signal),
        })),
      );
      return answerSearch({
        answers,
        delivery: 'bridge',
        catalog,
        totalDeferred: candidates.size,
        alreadyListed: [],
        maxTools: settings.maxResultsLimit,
        prefix: AGENT_PREFIX,
      }).json;
    },
    describe(input) {
      const parsed = parseDescribeInput(input);
      if (!parsed.ok) throw new Error(parsed.message);
      const known = parsed.value.map(find).filter((tool): tool is Tool => tool !== undefined);
      return answerDescribe(
        known,
        parsed.value.filter((name) => !find(name)),
      );
    },
    toCall(input) {
      const parsed = parseCallInput(input);
      const tool = parsed.ok ? find(parsed.value.name) : undefined;
      const args = parsed.ok ? asObject(parsed.value.args) : undefined;
      return tool && args ? { tool, args } : undefined;
    },
    async call(input, runner, signal) {
      const parsed = parseCallInput(input);
      if (!parsed.ok) return told('failed', parsed.message);
      const tool = find(parsed.value.name);
      const args = asObject(parsed.value.args);
      if (!tool) return told('failed', `There is no tool named '${parsed.value.name}'. Search for it first.`);
      return args ? runner.run(tool, args, signal) : told('failed', `The arguments of ${parsed.value.name} must be a JSON object.`);
    },
  };
}
