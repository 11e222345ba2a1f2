import {
  address,
  callersByGlob,
  choice,
  examplesByTool,
  flag,
  guidanceKind,
  number,
  patternsByServer,
  type Reader,
  secondsByGlob,
  settingsByGlob,
  strategyName,
  texts,
  whole,
} from './readers';

/** What one setting is: package.json says the same to VS Code, and a test compares them. */
interface SettingRow<Field extends string, T> {
  /** Its field in {@link Settings}. */
  readonly field: Field;
  readonly reader: Reader<T>;
  /** What holds where the user sets nothing. */
  readonly fallback: T;
  /** As VS Code shows it, in English. */
  readonly description: string;
  /** Who can set it: a window, each folder of it (`resource`), or the user alone (`application`). */
  readonly scope: 'window' | 'resource' | 'application';
}

function row<const Field extends string, T>(
  field: Field,
  reader: Reader<T>,
  fallback: NoInfer<T>,
  description: string,
  scope: SettingRow<Field, T>['scope'] = 'window',
): SettingRow<Field, T> {
  return { field, reader, fallback, description, scope };
}

/** How VS Code 1.139 and Copilot Chat name what reads, searches, edits, runs, tests, plans and asks. */
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

/** Settings that single models can have others of; see `forModel.ts`. */
const OF_A_MODEL = {
  mode: row(
    'mode',
    choice('auto', 'on', 'off'),
    'auto',
    'When tools are kept out of a request and found by search instead.',
  ),
  'auto.contextPercent': row(
    'autoContextPercent',
    number(0, 100),
    10,
    "With `#toolsearch.mode#` at `auto`: tools are deferred once their definitions take more than this part of the model's context, in percent.",
  ),
  'auto.maxTools': row(
    'autoMaxTools',
    whole(0, 10_000),
    30,
    'With `#toolsearch.mode#` at `auto`: tools are deferred once there are more than this.',
  ),
  strategy: row(
    'strategy',
    strategyName,
    'auto',
    'How a query is matched with tools: `auto`, `bm25` (ranks words in names, descriptions and arguments), `regex` (a pattern), `keywords` (counts shared words), `exact` (names only), or the name of a strategy that another extension registered.',
  ),
  delivery: row(
    'delivery',
    choice('auto', 'server', 'client', 'local', 'bridge'),
    'auto',
    'How a found tool reaches the model.',
  ),
  maxResults: row('maxResults', whole(1, 100), 5, "How many tools a search returns where the model doesn't say."),
  guidance: row(
    'guidance',
    guidanceKind,
    'servers',
    "What a request says of the tools that it doesn't carry, so that a model searches at all.",
  ),
  codeMode: row(
    'codeMode',
    choice('auto', 'on', 'off'),
    'auto',
    'Whether models are offered `run_code`: a script in place of many calls, whose results reach the model only as far as the script returns them.',
  ),
};

/** Every setting, by its key below `toolsearch.`. What a value means stands in its description. */
export const SETTINGS = {
  ...OF_A_MODEL,
  models: row(
    'models',
    settingsByGlob(OF_A_MODEL),
    {},
    'Other settings for some models: patterns over `vendor/id`, the first that matches counts, as in `{"copilot/gpt-4*": {"mode": "on", "maxResults": 8}}`. A model can have its own `mode`, `auto.contextPercent`, `auto.maxTools`, `strategy`, `delivery`, `maxResults`, `guidance` and `codeMode`.',
  ),
  scope: row('scope', choice('mcp', 'all'), 'mcp', 'Which tools can be deferred.'),
  coreTools: row(
    'coreTools',
    texts,
    CORE_TOOLS,
    "With `#toolsearch.scope#` at `all`: tools of VS Code that stay in every request, since agents can't do without them, as patterns over their names after `#` or in full. Where they are more than `#toolsearch.auto.maxTools#`, or take more than `#toolsearch.auto.contextPercent#` of the model's context, they are deferred like others, and you are told.",
  ),
  eagerTools: row(
    'eagerTools',
    patternsByServer,
    {},
    'Tools that stand in every request: patterns over tool names, by server, as in `{"github": ["search_*", "get_issue"]}`. The server `vscode` is that of tools that belong to no MCP server.',
    'resource',
  ),
  deferredTools: row(
    'deferredTools',
    patternsByServer,
    {},
    'For each server named here, exactly the matching tools are deferred and its others stand in every request: patterns over tool names, as in `{"github": ["*"]}`.',
    'resource',
  ),
  guidanceTokens: row(
    'guidanceTokens',
    whole(50, 10_000),
    600,
    'With `#toolsearch.guidance#` at `names`: how many tokens the names may take, estimated. They are cut fairly across servers.',
  ),
  maxResultsLimit: row(
    'maxResultsLimit',
    whole(1, 100),
    20,
    'How many tools a search returns at the most, whatever the model asks for.',
  ),
  examples: row(
    'examples',
    examplesByTool,
    {},
    'Worked calls by tool id, which are searched with the tool and shown to the model, as in `{"github/get_issue": [{"args": {"number": 7}, "description": "One issue"}]}`. In settings.json this must stand before the settings `toolsearch.examples.…`.',
    'resource',
  ),
  'examples.maxPerTool': row('examplesMaxPerTool', whole(0, 20), 3, "How many of a tool's examples are used."),
  'examples.includeDescriptions': row(
    'examplesIncludeDescriptions',
    flag,
    true,
    'Whether examples carry their descriptions.',
  ),
  'examples.tags': row(
    'examplesTags',
    texts,
    [],
    "Where this isn't empty, only examples with one of these tags are used.",
  ),
  'limits.toolCallsPerTurn': row(
    'toolCallsPerTurn',
    whole(1, 1000),
    50,
    "How many tools may be called to answer one question. Another agent's calls count together until it has called nothing for 30 seconds.",
  ),
  'limits.toolTimeoutSeconds': row(
    'toolTimeoutSeconds',
    number(1, 3600),
    60,
    'How long a tool may take, in seconds. Where VS Code may be asking you to confirm the call, it is given up after 10 minutes at the earliest, since the time that you take counts too.',
  ),
  'limits.toolTimeouts': row(
    'toolTimeouts',
    secondsByGlob,
    {},
    'Longer or shorter times for some tools, in seconds: patterns over tool ids, the first that matches counts, as in `{"builds/run_*": 900}`.',
    'resource',
  ),
  'limits.retriesPerTool': row(
    'retriesPerTool',
    whole(0, 20),
    2,
    'How often a tool may be called again within one question after it failed.',
  ),
  sequentialTools: row(
    'sequentialTools',
    texts,
    [],
    'Tools that never run beside another call: patterns over tool ids, as in `["github/create_*"]`.',
    'resource',
  ),
  allowedCallers: row(
    'allowedCallers',
    callersByGlob,
    {},
    'Who may call a tool: the model itself (`direct`), a script (`code`) or `both`. Patterns over tool ids, the first that matches counts, as in `{"bank/*": "direct"}`. Tools that a pattern lets scripts call are also called by code that Claude or GPT run themselves, with your own key: their results then stand in the provider\'s sandbox.',
  ),
  'limits.scriptSeconds': row(
    'scriptSeconds',
    number(1, 60),
    10,
    "How long a script may compute, in seconds. Waiting for tools and for you doesn't count.",
  ),
  'limits.callsPerScript': row('callsPerScript', whole(1, 1000), 200, 'How many calls of tools a script may make.'),
  'limits.scriptOutputChars': row(
    'scriptOutputChars',
    whole(1_000, 100_000),
    20_000,
    "How many characters of a script's answer reach the model. The rest is kept for a later script.",
  ),
  'mcp.host': row('mcpHost', choice('vscode', 'extension'), 'vscode', 'Who runs the servers of `mcp.json`.'),
  'mcp.endpoint': row(
    'mcpEndpoint',
    flag,
    false,
    'Publishes the search over all tools of this window as an MCP server, for agents that take MCP servers. It listens on this machine alone, lets in whoever sends its token, and ends with the window. `Tool Search: Copy MCP Server Entry` copies what another client needs.',
    'application',
  ),
  changedTools: row(
    'changedTools',
    choice('tell', 'ask'),
    'tell',
    'What happens to a tool that its server describes in another way than this workspace last saw: description, title, arguments, results, hints or examples.',
  ),
  learnFromUse: row(
    'learnFromUse',
    flag,
    true,
    'Remembers in this workspace, on this machine, which words a tool was asked for with before it was used, and finds it by them the next time. `Tool Search: Forget What Was Learnt` forgets them.',
  ),
  searchOnlyModel: row(
    'searchOnlyModel',
    flag,
    false,
    'Offers the model "Search only (no AI)" in the model picker. It turns the question into a search and calls the tool that it finds first, without a language model.',
  ),
  'anthropic.baseUrl': row(
    'anthropicBaseUrl',
    address(''),
    'https://api.anthropic.com',
    "Where Claude models are asked: Anthropic's own address, or that of a gateway. Your API key and your questions are sent there, so a workspace can't change it.",
    'application',
  ),
  'openai.baseUrl': row(
    'openaiBaseUrl',
    address('/v1'),
    'https://api.openai.com/v1',
    "Where GPT models are asked: OpenAI's own address, or that of a gateway. Your API key and your questions are sent there, so a workspace can't change it.",
    'application',
  ),
  allowInsecureBaseUrl: row(
    'allowInsecureBaseUrl',
    flag,
    false,
    'Allows an address of Claude or GPT with plain `http://` on another machine. Your API key and your questions then travel unencrypted, for anyone on the way to read.',
    'application',
  ),
};

/** A key below `toolsearch.`. */
export type SettingKey = keyof typeof SETTINGS;

type ValueOf<Row> = Row extends SettingRow<string, infer T> ? T : never;

/** The user's settings after validation, by field. */
export type Settings = {
  readonly [Key in SettingKey as (typeof SETTINGS)[Key]['field']]: ValueOf<(typeof SETTINGS)[Key]>;
};

export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

/** What holds where the user sets nothing. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.values(SETTINGS).map(({ field, fallback }) => [field, fallback]),
) as Settings;

/**
 * Settings that each folder of a workspace can have for itself: what they say is of servers and tools, and a folder brings
 * servers of its own. All others are the window's, since its chats are.
 */
export const FOLDER_KEYS: readonly SettingKey[] = SETTING_KEYS.filter((key) => SETTINGS[key].scope === 'resource');
