import { l10n } from '../util/l10n';
import {
  address,
  callersByGlob,
  choice,
  examplesByTool,
  fields,
  flag,
  number,
  patternsByServer,
  patternsBySet,
  type Reader,
  retriesByGlob,
  secondsByGlob,
  settingsByGlob,
  someOf,
  strategyName,
  texts,
  whole,
} from './readers';

// The table of all settings. package.json, package.nls.json and docs/settings.md are generated from it:
// `npx vitest run --project unit test/unit/manifest.test.ts -u` writes them; the same test fails if they are stale.

/** One setting: how its value is read and checked, its default, and its description in VS Code. */
interface SettingRow<T> {
  readonly reader: Reader<T>;
  readonly fallback: T;
  /**
   * The description in English Markdown. The German text is in package.nls.de.json. Each description, and each text of
   * a choice, is one literal that ends with a period: the build removes such literals from the bundle.
   */
  readonly description: string;
  /** The level at which the setting can be set: a window, or only the user (`application`). */
  readonly scope: 'window' | 'application';
}

function row<T>(
  reader: Reader<T>,
  fallback: NoInfer<T>,
  description: string,
  scope: SettingRow<T>['scope'] = 'window',
): SettingRow<T> {
  return { reader, fallback, description, scope };
}

/** Names of the tools with which VS Code 1.139 and Copilot Chat read, search, edit, run, test, plan and ask. */
const CORE_TOOLS = [
  'askQuestions',
  'changes',
  'codebase',
  'createAndRunTask',
  'createDirectory',
  'createFile',
  'editFiles',
  'fetch',
  'fileSearch',
  'getTaskOutput',
  'getTerminalOutput',
  'killTerminal',
  'listDirectory',
  'problems',
  'readFile',
  'rename',
  'runInTerminal',
  'runSubagent',
  'runTask',
  'runTests',
  'sendToTerminal',
  'terminalLastCommand',
  'terminalSelection',
  'testFailure',
  'textSearch',
  'todo',
  'usages',
] as const;

const LOADING = {
  mode: row(
    choice({
      auto: 'Tools are deferred if MCP servers have more than `#toolsearch.auto.maxTools#`, or if their definitions take more than `#toolsearch.auto.contextPercent#` percent of the context.',
      on: 'Tools are always deferred.',
      off: 'Tools are never deferred. Each request has the definitions of all tools of MCP servers, and of VS Code’s tools that read files.',
    }),
    'auto',
    'When tools are deferred: kept out of the request until a search finds them.',
  ),
  'auto.maxTools': row(
    whole(0, 10_000),
    30,
    'With `#toolsearch.mode#` set to `auto`, tools are deferred if there are more than this number.',
  ),
  'auto.contextPercent': row(
    number(0, 100),
    10,
    "With `#toolsearch.mode#` set to `auto`, tools are deferred if their definitions take more than this percentage of the model's context.",
  ),
  eagerTools: row(
    patternsByServer,
    {},
    'Tools that are in every request, unless a narrower pattern of `#toolsearch.deferredTools#` names them. An object of servers and patterns for tool names, for example `{"github": ["search_*", "get_issue"]}`. Tools that belong to no MCP server have the server `vscode`. The server `*` stands for all servers.',
  ),
  deferredTools: row(
    patternsByServer,
    {},
    'Tools that are deferred. If `#toolsearch.eagerTools#` names the same tool, the narrower pattern applies: a name before a pattern, and a pattern with more letters before one with fewer. An object of servers and patterns for tool names, for example `{"github": ["*"]}`. If a server is listed by name, its tools that no pattern matches are in every request. `*` stands for all servers; for tools that its patterns don’t match, the other settings decide.',
  ),
  hiddenTools: row(
    patternsByServer,
    {},
    'Tools that models never get: they can’t be found or called. An object of servers and patterns for tool names, for example `{"github": ["delete_*"]}`. The server `*` stands for all servers.',
  ),
  sets: row(
    patternsBySet,
    {},
    'Named sets of tools, chosen in the status bar or by `Tool Search: Select Set`. An object of names and patterns for tool ids, for example `{"Web": ["browser/*", "search/get_*"]}`. While a set is chosen, other tools of MCP servers aren’t sent to models and can’t be found or called in this workspace. This includes all tools of MCP servers if the chosen set is no longer in the settings.',
  ),
  scope: row(
    choice({
      auto: 'In `@toolsearch`, all tools: a few of VS Code that read files are always in the request, and other tools of VS Code and of extensions are found by search if tools of MCP servers are deferred. Other agents already have these tools, so they find only tools of MCP servers.',
      mcp: 'Only tools of MCP servers.',
      all: 'All tools, including those of VS Code and of extensions, for other agents too.',
    }),
    'auto',
    'Which tools can be found.',
  ),
  coreTools: row(
    texts,
    CORE_TOOLS,
    "With `#toolsearch.scope#` set to `all`, tools of VS Code that are in every request because agents need them. A list of patterns for full names or for names after `#`. If there are more than `#toolsearch.auto.maxTools#`, or if they take more than `#toolsearch.auto.contextPercent#` percent of the model's context, they are deferred too, with a warning.",
  ),
};

/** The strategies that ship with the product: descriptions in the settings, and in the command that chooses one. */
export const STRATEGIES = {
  bm25: {
    setting: 'Ranks by words in names, descriptions and arguments.',
    command: () => l10n.t('ranks by words in names, descriptions and arguments'),
  },
  regex: {
    setting: 'Matches a pattern with names and descriptions.',
    command: () => l10n.t('a pattern over names and descriptions'),
  },
  keywords: { setting: 'Counts shared words.', command: () => l10n.t('counts shared words') },
  exact: { setting: 'Compares names only.', command: () => l10n.t('names only') },
};

export type BuiltInStrategy = keyof typeof STRATEGIES;

const SEARCH = {
  strategy: row(
    strategyName(
      choice<string>({
        auto: 'The strategy that fits the query.',
        ...Object.fromEntries(Object.entries(STRATEGIES).map(([name, { setting }]) => [name, setting])),
      }),
    ),
    'auto',
    'How a search compares a query with tools. Other extensions can register more strategies; set those with `Tool Search: Select Strategy`.',
  ),
  maxResults: row(whole(1, 100), 5, 'Highest number of tools that a search returns.'),
};

const DELIVERY = {
  delivery: row(
    choice({
      auto: 'The way that costs least: `bridge`.',
      server: "The model's provider searches and adds the tools that it finds. Only for Anthropic and OpenAI.",
      client: 'Tool Search searches, and the provider adds the tools. Only for Anthropic and OpenAI.',
      local: 'Tool Search searches and adds the tools to the next request. For all models.',
      bridge: 'The model calls found tools through a fixed tool. For all models.',
    }),
    'auto',
    'How the tools that a search finds reach the model.',
  ),
  guidance: row(
    choice({
      servers: 'How many tools a search can find, and their servers.',
      off: 'Nothing.',
    }),
    'servers',
    'What a request tells the model about the deferred tools.',
  ),
};

const SCRIPTS = {
  codeMode: row(
    choice({
      auto: 'If tools are deferred, and the model can call tools and has a context of at least 32,000 tokens.',
      on: 'For every model that can call tools.',
      off: 'Never.',
    }),
    'auto',
    'Whether models get the tool `run_code`. It runs a script that calls several tools. Only the part of the results that the script returns reaches the model.',
  ),
  allowedCallers: row(
    callersByGlob,
    {},
    'Who can call a tool: only the model (`direct`), only scripts (`code`), or both (`both`). An object of patterns for tool ids; the first match applies, for example `{"bank/*": "direct"}`. With your own key, Claude and GPT can also run code at the provider. That code can call each tool with `code` or `both`, and the results are then stored in the provider\'s sandbox.',
  ),
  'limits.scriptSeconds': row(
    number(1, 60),
    10,
    'Longest computing time of a script, in seconds. Time spent waiting for tools or for you does not count.',
  ),
  'limits.callsPerScript': row(whole(1, 1000), 200, 'Highest number of tool calls in one script.'),
  'limits.scriptOutputChars': row(
    whole(1_000, 100_000),
    20_000,
    "Number of characters of a script's output that reach the model, and of each other result while scripts are offered. Later scripts can read the rest.",
  ),
};

/** Settings that can have a different value for some models; see `modelSettings.ts`. */
const PER_MODEL = {
  mode: LOADING.mode,
  'auto.contextPercent': LOADING['auto.contextPercent'],
  'auto.maxTools': LOADING['auto.maxTools'],
  strategy: SEARCH.strategy,
  delivery: DELIVERY.delivery,
  maxResults: SEARCH.maxResults,
  coreTools: LOADING.coreTools,
  guidance: DELIVERY.guidance,
  codeMode: SCRIPTS.codeMode,
};

const MODELS = {
  models: row(
    settingsByGlob(PER_MODEL),
    {},
    'Different settings for some models. An object of patterns for `vendor/id`, or for the id of any vendor; the first match applies, for example `{"copilot/gpt-4*": {"mode": "on", "maxResults": 8}}`. Possible settings: `mode`, `auto.contextPercent`, `auto.maxTools`, `strategy`, `delivery`, `maxResults`, `coreTools`, `guidance` and `codeMode`. VS Code does not say which custom agent asks, so an agent cannot have settings of its own.',
  ),
  searchOnlyModel: row(
    choice({ auto: 'If there is no other model.', on: 'Always.', off: 'Never.' }),
    'auto',
    'Whether the model picker offers the model "Search only (no AI)". It searches with the words of your question, without a language model. If the question contains the arguments, it calls the tool that you name, or the first tool found.',
  ),
  offerModels: row(
    texts,
    ['*'],
    'Vendors whose models the model picker also offers “with tool search”, for every chat: their tools are deferred, searches are answered by Tool Search, and the model is asked through VS Code. `*` stands for all vendors whose models have no tool search of their own in VS Code, so not for `copilot`. An empty list offers none.',
  ),
  'anthropic.baseUrl': row(
    address(''),
    'https://api.anthropic.com',
    'Address for requests to Claude models: Anthropic or a gateway. Your API key and your questions are sent there, so a workspace cannot change it.',
    'application',
  ),
  'openai.baseUrl': row(
    address('/v1'),
    'https://api.openai.com/v1',
    'Address for requests to GPT models: OpenAI or a gateway. Your API key and your questions are sent there, so a workspace cannot change it.',
    'application',
  ),
  allowInsecureBaseUrl: row(
    flag,
    false,
    'Allows an address for Claude or GPT with unencrypted `http://` on another machine. Everyone on the network path can then read your API key and your questions.',
    'application',
  ),
};

const CALLS = {
  'limits.toolCallsPerTurn': row(
    whole(1, 1000),
    50,
    'Highest number of tool calls to answer one question. For another agent, all calls count together until it pauses for 30 seconds.',
  ),
  'limits.toolTimeoutSeconds': row(
    number(1, 3600),
    60,
    'Longest time for one tool call, in seconds. If VS Code can ask you to confirm the call, the time is at least 10 minutes, because your time to answer counts too.',
  ),
  'limits.toolTimeouts': row(
    secondsByGlob,
    {},
    'Longer or shorter times for some tools, in seconds. An object of patterns for tool ids; the first match applies, for example `{"builds/run_*": 900}`.',
  ),
  'limits.retriesPerTool': row(
    whole(0, 20),
    2,
    'How often a call can be repeated with the same arguments after it failed. Errors that the tool itself reports don’t count.',
  ),
  'limits.retries': row(
    retriesByGlob,
    {},
    'More or fewer retries for some tools. An object of patterns for tool ids; the first match applies, for example `{"builds/run_*": 0}`. A workspace cannot change it.',
    'application',
  ),
  sequentialTools: row(
    texts,
    [],
    'Tools that never run at the same time as another call. A list of patterns for tool ids, for example `["github/create_*"]`.',
  ),
};

/** The agents whose MCP servers the user can add. */
const AGENT_NAMES = ['claudeCode', 'codex', 'cursor', 'windsurf', 'claudeDesktop'] as const;

export type AgentName = (typeof AGENT_NAMES)[number];

const SERVERS = {
  'mcp.host': row(
    choice({
      vscode: 'VS Code, with its trust, its confirmations and its “MCP: List Servers”.',
      extension:
        'Tool Search. It starts a server when one of its tools is called for the first time; until then, a search uses the tools that the server listed last time. VS Code still runs the servers for its other chats. To avoid two copies, set `#chat.mcp.access#` to `none` or `#chat.mcp.autostart#` to `never`.',
    }),
    'vscode',
    'Who runs the servers of `mcp.json`.',
  ),
  'mcp.agents': row(
    someOf(AGENT_NAMES),
    [],
    'With `#toolsearch.mcp.host#` set to `extension`, other agents whose MCP servers are used too. Tool Search reads their files and changes nothing in them. A new command line is shown to you before its first start. The files `.mcp.json` and `~/.copilot/mcp-config.json`, which sessions of VS Code use, are read in any case.',
    'application',
  ),
  'mcp.idleMinutes': row(
    whole(0, 1440),
    10,
    'With `#toolsearch.mcp.host#` set to `extension`, a server that is a process on this machine stops after this number of minutes without a call. Its next call starts it again. With 0, it runs until the window closes.',
  ),
  'mcp.resourcesAndPrompts': row(
    flag,
    false,
    'With `#toolsearch.mcp.host#` set to `extension`, models can also find and read the resources and prompts of MCP servers, not only call their tools. They are found by search like tools, and are in no request before that. With either value, `Tool Search: Find Tools` finds them for you.',
    'application',
  ),
  'mcp.endpoint': row(
    flag,
    false,
    'Offers the search over all tools of this window as an MCP server, for agents that can use MCP servers. The server can only be reached on this machine, requires a token, and ends with the window. `Tool Search: Copy MCP Server Entry` copies the configuration for another client.',
    'application',
  ),
  changedTools: row(
    choice({
      tell: 'The tool is used. The inspector shows the change.',
      ask: 'The tool isn’t sent to models and can’t be called until you accept the change in the inspector.',
    }),
    'tell',
    'What happens to a tool if its server has changed its definition since this workspace last used it: description, title, arguments, results, hints or examples.',
  ),
};

const EXAMPLES = {
  examples: row(
    fields({
      tools: { reader: examplesByTool, fallback: {} },
      servers: {
        reader: choice({
          add: 'A server’s examples are used after yours.',
          replace: 'A server’s examples are used only for tools for which you have no valid example.',
          off: 'A server’s examples are never used.',
        }),
        fallback: 'add' as const,
      },
      perTool: { reader: whole(0, 20), fallback: 3 },
      descriptions: { reader: flag, fallback: true },
      tags: { reader: texts, fallback: [] },
    }),
    { tools: {}, servers: 'add', perTool: 3, descriptions: true, tags: [] },
    'Example calls. A search uses them, and the model sees them with the tool. `tools`: your examples by tool id, for example `{"github/get_issue": [{"args": {"number": 7}, "description": "One issue"}]}`. `servers`: what happens to the examples that a server gives for its tools: `add` (after yours), `replace` (only for tools for which you have no valid example) or `off`. `perTool`: the highest number of examples per tool. `descriptions`: whether the model also sees their descriptions. `tags`: if not empty, only examples with one of these tags are used.',
  ),
};

/** The groups of the settings editor, in the order in which people need them. */
export const SETTING_GROUPS = [
  { id: 'loading', title: 'Tools in the Request', rows: LOADING },
  { id: 'search', title: 'Search', rows: SEARCH },
  { id: 'models', title: 'Models', rows: MODELS },
  { id: 'delivery', title: 'Delivery to the Model', rows: DELIVERY },
  { id: 'calls', title: 'Tool Calls', rows: CALLS },
  { id: 'scripts', title: 'Scripts', rows: SCRIPTS },
  { id: 'servers', title: 'MCP Servers', rows: SERVERS },
  { id: 'examples', title: 'Examples', rows: EXAMPLES },
] as const;

/** All settings, by key below `toolsearch.`. */
export const SETTINGS = {
  ...LOADING,
  ...SEARCH,
  ...MODELS,
  ...DELIVERY,
  ...CALLS,
  ...SCRIPTS,
  ...SERVERS,
  ...EXAMPLES,
};

/** A key below `toolsearch.`. */
export type SettingKey = keyof typeof SETTINGS;

/** A key's field in {@link Settings}: `auto.maxTools` → `autoMaxTools`, `limits.scriptSeconds` → `scriptSeconds`. */
type FieldOf<Key extends string> = Key extends `limits.${infer Name}`
  ? Name
  : Key extends `${infer Group}.${infer Name}`
    ? `${Group}${Capitalize<Name>}`
    : Key;

type ValueOf<Row> = Row extends SettingRow<infer T> ? T : never;

/** The user's settings after validation, by field name. */
export type Settings = {
  readonly [Key in SettingKey as FieldOf<Key>]: ValueOf<(typeof SETTINGS)[Key]>;
};

export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

export function fieldOf(key: SettingKey): keyof Settings {
  const name = key.replace(/^limits\./, '').replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase());
  return name as keyof Settings;
}

/** The values that apply if the user sets nothing. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_KEYS.map((key) => [fieldOf(key), SETTINGS[key].fallback]),
) as Settings;
