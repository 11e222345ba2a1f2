// The words that a model reads of us before it has called anything: the definitions of our own tools, and the guidance.
// They are sent with every request, so each word has a price. Agents and the MCP endpoint get the same words.

import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { JsonSchema, ToolDefinition } from '../catalog/tool';
import type { DeliveryName, ModelInfo } from '../ports';
import type { Settings } from '../settings/settings';
import { cut } from '../util/cut';

/** More phrases than this in one search bring noise, not recall. */
export const MAX_QUERIES = 5;
/** The languages whose words the search understands, beside any word that a tool's own text has. */
const SEARCH_LANGUAGES = 'English';

interface OwnOptions {
  readonly strategy?: string;
  /** Whether `run_code` is offered. */
  readonly code?: boolean;
  /**
   * Servers whose tools a search finds. Clients that defer the search itself skip it if its description doesn't name
   * them.
   */
  readonly servers?: readonly string[];
  /** The start of the tools' names, if an agent has them under longer names. */
  readonly prefix?: string;
}

/**
 * The definitions of our own tools in a request with something to search. With delivery `server` the provider has a
 * search of its own. Constant for a session, so that a cached prefix holds.
 */
export function ownDefinitions(delivery: DeliveryName, options: OwnOptions = {}): readonly ToolDefinition[] {
  const { strategy = 'bm25', code = false, prefix = '' } = options;
  const scripts = code ? [own(`${prefix}${RUN_CODE}`, RUN_CODE_TEXT, CODE_SCHEMA)] : [];
  if (delivery === 'server') return scripts;
  const search = searchDefinition(delivery, strategy, options);
  if (delivery !== 'bridge') return [search, ...scripts];
  const describe = own(`${prefix}${DESCRIBE_TOOL}`, 'Gives the whole definition of found tools.', NAMES_SCHEMA);
  const called = prefix === '' ? 'Calls a found tool.' : `Calls a tool that ${prefix}${SEARCH_TOOLS} found.`;
  const call = own(`${prefix}${CALL_TOOL}`, called, CALL_SCHEMA);
  // Beside scripts, signatures are enough, and a search for select:NAME gives the whole definition.
  return [search, ...(code ? [] : [describe]), call, ...scripts];
}

/** A model with a smaller window has little room for scripts and what they return. In tokens. */
const MIN_CODE_WINDOW = 32_000;

/** Whether a turn's model is offered `run_code`. A window of unknown size is taken to be large enough. */
export function offersCode({ codeMode }: Pick<Settings, 'codeMode'>, model: ModelInfo, deferred: number): boolean {
  if (codeMode === 'off' || !model.toolCalling) return false;
  return codeMode === 'on' || (deferred > 0 && (model.maxInputTokens === 0 || model.maxInputTokens >= MIN_CODE_WINDOW));
}

function own(name: string, description: string, inputSchema: JsonSchema): ToolDefinition {
  return { id: name, server: '', name, description, inputSchema };
}

const STRINGS = { type: 'array', items: { type: 'string' } } as const;
const NAMES_SCHEMA = { type: 'object', properties: { names: STRINGS }, required: ['names'] };
const CALL_SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, arguments: { type: 'object' } },
  required: ['name', 'arguments'],
};
const CODE_SCHEMA = {
  type: 'object',
  properties: { code: { type: 'string' }, title: { type: 'string' } },
  required: ['code'],
};

const RUN_CODE_TEXT =
  'Runs JavaScript over found tools, for several calls or long results: only what you return or log reaches you. await tools.NAME.text(args) is plain text; await tools.NAME(args) an object if it is JSON (log it first if its type isn\'t shown). Failures throw or give text. Use Promise.all. Also await search("phrase"), await results.get("r3") (a cut result\'s text). No import, network, files.';

/** How each strategy asks for queries. A model that writes a phrase as a pattern finds nothing. */
const QUERIES: { readonly [strategy: string]: string } = {
  regex: `One regular expression per need, over names, descriptions and arguments (case is ignored): ["create.*issue", "read|open.*file"].`,
  exact: 'Whole names of tools, one per need: ["create_issue"].',
};
const PHRASES = `One short ${SEARCH_LANGUAGES} phrase per need: ["list files", "read file"]`;

function searchDefinition(
  delivery: DeliveryName,
  strategy: string,
  { code, prefix = '', servers = [] }: OwnOptions,
): ToolDefinition {
  const line = delivery === 'bridge' || code ? 'name(arguments) => result' : 'name';
  const use = delivery === 'bridge' ? '' : ' You can call a found tool by name from your next step on.';
  const whole = delivery === 'bridge' || code ? `gives a whole definition` : 'finds a tool by name';
  // An agent gets no guidance on which tools there are.
  const what =
    prefix === '' ? 'Finds tools' : "Finds tools of all connected MCP servers, also those that you don't see";
  const queries = QUERIES[strategy] ?? `${PHRASES}; "select:NAME" ${whole}.`;
  return own(`${prefix}${SEARCH_TOOLS}`, `${what}, one a line: ${line} // what it does.${use}${behind(servers)}`, {
    type: 'object',
    properties: { queries: { ...STRINGS, description: queries }, server: { type: 'string' } },
    required: ['queries'],
  });
}

/** Length of the list of servers in a description, in characters: at most 60 tokens, however they are called. */
const MAX_BEHIND = 150;

function behind(servers: readonly string[]): string {
  const names: string[] = [];
  let length = 0;
  for (const server of servers) {
    const name = plainOrQuoted(server, 40);
    length += name.length + 2;
    if (length > MAX_BEHIND) break;
    names.push(name);
  }
  if (names.length === 0) return '';
  const more = servers.length > names.length ? ` and ${servers.length - names.length} more` : '';
  return ` Behind it: ${names.join(', ')}${more}.`;
}

/** The tools and folders that guidance is about. */
interface GuidanceInputs {
  /** How many tools can be found. */
  readonly deferred: number;
  readonly servers: readonly string[];
  readonly delivery: DeliveryName;
  /** Paths of the workspace's folders. */
  readonly workspace?: readonly string[];
  /** The start of our tools' names, if an agent has them under longer names. */
  readonly prefix?: string;
}

const MAX_SERVERS = 30;
const MAX_FOLDERS = 3;

/**
 * The hint that makes a model search at all: how many tools it doesn't see, of which servers, and when to stop.
 * Names of servers and folders are data from outside: cut, and quoted if they could be read as anything else.
 */
export function guidanceText({ deferred, servers, delivery, workspace = [], prefix = '' }: GuidanceInputs): string {
  const more = servers.length > MAX_SERVERS ? ` and ${servers.length - MAX_SERVERS} more` : '';
  const names = servers.slice(0, MAX_SERVERS).map((name) => plainOrQuoted(name, 40));
  const where = delivery === 'server' ? 'your tool search' : `${prefix}${SEARCH_TOOLS}`;
  return [
    `${deferred} tools of ${names.join(', ')}${more} are behind ${where}.`,
    `Search in ${SEARCH_LANGUAGES} before saying that you can't; if a second search in other words finds nothing that fits, say so.`,
    ...(workspace.length > 0 ? [workspaceText(workspace)] : []),
  ].join(' ');
}

/** The paths of the workspace's folders, which VS Code's own tools need. */
export function workspaceText(folders: readonly string[]): string {
  const paths = folders.slice(0, MAX_FOLDERS).map((folder) => plainOrQuoted(folder, 200));
  return `Workspace: ${paths.join(', ')}`;
}

function plainOrQuoted(text: string, max: number): string {
  return text.length <= max && /^[\w./\\:@~-]+$/.test(text) ? text : JSON.stringify(cut(text, max));
}
