// Reads the inputs of our own tools. A mistake is answered in one or two sentences, with what to send instead.

import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOLS } from '../catalog/modelNames';
import { type Json, propertiesOf, type Tool } from '../catalog/tool';
import { MAX_QUERIES } from '../planning/ownTools';
import { MAX_QUERY } from '../search/query/queryLength';
import type { Settings } from '../settings/settings';
import { definitionOf, descriptionWithExamples } from '../usage/tokens';
import { cut } from '../util/cut';
import { asObject, jsonText, parseJson } from '../util/objects';

/** The maximum number of characters of a query, or of an unknown tool's name, in a message about it. */
const SHOWN_QUERY = 200;

/** The maximum number of tools that queries may name, or that a script may ask for, unless the user set more. */
const MAX_NAMED = 20;

/** Returns the maximum number of tools in the answer to a search. */
export function mostTools({ maxResults }: Pick<Settings, 'maxResults'>): number {
  return Math.max(MAX_NAMED, maxResults);
}

/** A model's search with corrected input. */
interface SearchInput {
  readonly queries: readonly string[];
  /** The queries over the limit, which aren't searched. */
  readonly left?: readonly string[];
  readonly strategy?: 'bm25' | 'regex' | 'exact';
  readonly server?: string;
  /** Set if the search is limited to tools that declare that they only read. */
  readonly readOnly?: true;
}

/** A value, or a sentence for the model on its mistake. */
type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

const bad = (message: string): Parsed<never> => ({ ok: false, message });

/**
 * Reads the input of `search_tools`. It accepts other forms with a plain meaning: one string in place of a list.
 * @param prefix the start of our tools' names, if an agent has these tools under longer names
 */
export function parseSearchInput(input: unknown, prefix = ''): Parsed<SearchInput> {
  const object = asObject(input);
  if (!object) return bad(`${prefix}${SEARCH_TOOLS} takes an object such as {"queries": ["create issue"]}.`);
  const asked = object.queries ?? object.query;
  const given = (typeof asked === 'string' && asked.trim().startsWith('[') && parseJson(asked)) || asked;
  const queries = [given].flat(2).filter((query): query is string => typeof query === 'string' && query.trim() !== '');
  if (queries.length === 0)
    return bad(
      `${prefix}${SEARCH_TOOLS} needs "queries": one to ${MAX_QUERIES} short phrases, such as {"queries": ["create issue"]}.`,
    );
  const type = object.search_type;
  if (type !== undefined && type !== null && type !== 'bm25' && type !== 'regex' && type !== 'exact') {
    return bad(
      `search_type is bm25, regex or exact, not ${cut(jsonText(type), SHOWN_QUERY)}. Leave it out for the user's setting.`,
    );
  }
  const server =
    typeof object.server === 'string' && object.server.trim() !== '' ? cut(object.server, SHOWN_QUERY) : undefined;
  return {
    ok: true,
    value: {
      queries: queries.slice(0, MAX_QUERIES),
      ...(queries.length > MAX_QUERIES ? { left: queries.slice(MAX_QUERIES) } : {}),
      ...(type ? { strategy: type } : {}),
      ...(server ? { server } : {}),
      ...(object.read_only === true || object.read_only === 'true' ? { readOnly: true } : {}),
    },
  };
}

export function parseDescribeInput(input: unknown, prefix = ''): Parsed<readonly string[]> {
  const object = asObject(input);
  const given = object?.names ?? object?.name;
  const names = (Array.isArray(given) ? given : [given]).filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  return names.length > 0
    ? { ok: true, value: names.slice(0, 10).map((name) => cut(name, MAX_QUERY)) }
    : bad(`${prefix}${DESCRIBE_TOOL} needs "names": a list of tool names that ${prefix}${SEARCH_TOOLS} returned.`);
}

interface CallInput {
  readonly name: string;
  readonly args: unknown;
  /** What the model wrote beside the name and the arguments. */
  readonly beside: { readonly [name: string]: unknown };
}

/** Reads the input of `call_tool`. Some models send the arguments as a JSON text, or beside the name. */
export function parseCallInput(input: unknown, prefix = ''): Parsed<CallInput> {
  const object = asObject(input);
  const { name, tool, tool_name, arguments: inside, args, ...beside } = object ?? {};
  const called = name ?? tool ?? tool_name;
  if (typeof called !== 'string' || called === '')
    return bad(
      `${prefix}${CALL_TOOL} needs "name" (a tool that ${prefix}${SEARCH_TOOLS} returned) and "arguments" (an object).`,
    );
  return { ok: true, value: { name: cut(called, MAX_QUERY), args: inside || args || {}, beside } };
}

/** The keys under which models write a tool's server beside its name. */
export const SERVER = ['server', 'server_name', 'serverName'];

/**
 * Returns the arguments, with those that the model wrote beside them and that the tool has. If it wrote them all beside
 * the name, the others count too. Some models call the arguments `input` or `params`, or write `arguments` twice.
 */
export function argumentsOf({ args, beside }: CallInput, tool: Tool | undefined): unknown {
  const inside = asObject(args);
  if (!inside) return args;
  const known = propertiesOf(tool?.inputSchema);
  if (Object.keys(inside).join() === 'arguments' && !Object.hasOwn(known, 'arguments')) return inside.arguments;
  const isEmpty = Object.keys(inside).length === 0;
  const renamed = Object.keys(beside).find((key) => !Object.hasOwn(known, key) && holdsAny(beside[key], known));
  if (renamed !== undefined && isEmpty) return beside[renamed];
  const missed = Object.entries(beside).filter(
    ([key]) => !Object.hasOwn(inside, key) && (Object.hasOwn(known, key) || (isEmpty && !SERVER.includes(key))),
  );
  return missed.length > 0 ? { ...Object.fromEntries(missed), ...inside } : args;
}

function holdsAny(value: unknown, known: object): boolean {
  return Object.keys(asObject(value) ?? {}).some((key) => Object.hasOwn(known, key));
}

export function answerDescribe(
  tools: readonly Tool[],
  unknown: readonly string[],
  prefix = '',
): { readonly [key: string]: Json } {
  return {
    tools: tools.map((tool) => {
      const { definition } = definitionOf(tool);
      return {
        name: definition.name,
        server: tool.server,
        description: descriptionWithExamples(definition),
        input_schema: definition.inputSchema as Json,
      };
    }),
    ...(unknown.length > 0
      ? {
          unknown: [...unknown],
          message: `Unknown names: ${unknown.join(', ')}. ${prefix}${SEARCH_TOOLS} finds tools.`,
        }
      : {}),
  };
}
