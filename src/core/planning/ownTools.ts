// The definitions of our own tools. Every request contains them, so each word costs tokens. Other agents and the MCP
// endpoint get the same texts.

import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { JsonSchema, ToolDefinition } from '../catalog/tool';
import type { DeliveryName } from '../ports';
import { plainOrQuoted, SEARCH_LANGUAGES } from './guidance';

/** The maximum number of phrases that one search looks for. Of more, the answer names those that were left out. */
export const MAX_QUERIES = 10;

interface OwnOptions {
  readonly strategy?: string;
  /** Whether `run_code` is offered. */
  readonly code?: boolean;
  /** Servers whose tools a search finds. Clients that defer our search find it only by servers in its description. */
  readonly servers?: readonly string[];
  /** The start of our tools' names, if an agent has these tools under longer names. */
  readonly prefix?: string;
}

/**
 * Returns the definitions of our own tools for a request with something to search. With delivery `server`, the provider
 * searches, so our search is missing. They are the same throughout a session, so that the cached prefix stays valid.
 */
export function ownDefinitions(delivery: DeliveryName, options: OwnOptions = {}): readonly ToolDefinition[] {
  const { strategy = 'bm25', code = false, prefix = '' } = options;
  const scripts = code ? [own(`${prefix}${RUN_CODE}`, RUN_CODE_TEXT, CODE_SCHEMA)] : [];
  if (delivery === 'server') return scripts;
  const search = searchDefinition(delivery, strategy, options);
  if (delivery !== 'bridge') return [search, ...scripts];
  const describe = own(`${prefix}${DESCRIBE_TOOL}`, 'Gives the whole definition of found tools.', NAMES_SCHEMA);
  const found = prefix === '' ? 'a found tool' : `a tool that ${prefix}${SEARCH_TOOLS} found`;
  const called = `Calls ${found}: its name, and its own arguments inside "arguments".`;
  const call = own(`${prefix}${CALL_TOOL}`, called, CALL_SCHEMA);
  // Scripts need only signatures, and a search for select:NAME gives the whole definition.
  return [search, ...(code ? [] : [describe]), call, ...scripts];
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
const CODE_SCHEMA = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };

const RUN_CODE_TEXT =
  'Runs JavaScript over found tools, for several calls or long results: only what you return or log reaches you. await tools.NAME.text(args) is plain text; await tools.NAME(args) an object if it is JSON (console.log it first if unsure of its fields). Failures throw or give text. Also await search("phrase"), results.get("r3") (a cut result\'s text). No import, network, files.';

/** How to write a query for each strategy. In the wrong form, such as a phrase for a pattern, it finds nothing. */
const QUERIES: { readonly [strategy: string]: string } = {
  regex: `One regular expression per need, over names, descriptions and arguments (case is ignored): ["create.*issue", "read|open.*file"].`,
  exact: 'Whole names of tools, one per need: ["create_issue"].',
};
const PHRASES = `One short ${SEARCH_LANGUAGES} phrase per need`;

function searchDefinition(
  delivery: DeliveryName,
  strategy: string,
  { code, prefix = '', servers = [] }: OwnOptions,
): ToolDefinition {
  const use = delivery === 'bridge' ? '' : ' You can call a found tool by name from your next step on.';
  const whole = delivery === 'bridge' || code ? `gives a whole definition` : 'finds a tool by name';
  // An agent gets no guidance, so for an agent the description of the search names the tools that can be found.
  const what =
    prefix === '' ? 'Finds tools' : "Finds tools of all connected MCP servers, also those that you don't see";
  const queries = QUERIES[strategy] ?? `${PHRASES}; "select:NAME" ${whole}.`;
  return own(`${prefix}${SEARCH_TOOLS}`, `${what}.${use}${behind(servers)}`, {
    type: 'object',
    properties: { queries: { ...STRINGS, description: queries } },
    required: ['queries'],
  });
}

/** Length of the list of servers in a description, in characters: at most 60 tokens, whatever the names are. */
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
