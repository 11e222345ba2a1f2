import { type Catalog, missingServers, type ServerInfo } from '../catalog/catalog';
import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Json, Tool } from '../catalog/tool';
import { toolSignature } from '../code/script';
import type { Shapes } from '../code/shapes';
import { MAX_QUERIES } from '../planning/ownTools';
import type { DeliveryName } from '../ports';
import { weaker } from '../search/rank/cutHits';
import { MAX_QUERY, type SearchHit, type SearchOutcome } from '../search/types';
import type { Settings } from '../settings/settings';
import { definitionOf, descriptionWithExamples } from '../usage/tokens';
import { cut } from '../util/cut';
import { asObject } from '../util/objects';
import { unavailable } from './recordSearch';

/** Characters of signatures that a search's result carries: about 1,500 tokens, so that hardly a call needs more than it. */
const SIGNATURE_CHARS = 5_400;

/** A description in a search result is cut here; the whole one comes with the definition. */
const DESCRIPTION_CHARS = 300;

/** Characters of a query in a remark on it, and of a name that no tool has. */
const SHOWN_QUERY = 200;

/** A search as the model asked for it, made sound. */
interface SearchInput {
  readonly queries: readonly string[];
  readonly strategy?: 'bm25' | 'regex' | 'exact';
  readonly server?: string;
  /** Set where only tools are wanted that say that they only read. */
  readonly readOnly?: true;
  readonly limit: number;
}

/** A value, or a sentence for the model on what is wrong with what it sent. */
type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

const bad = (message: string): Parsed<never> => ({ ok: false, message });

/**
 * Reads the input of `search_tools`, lenient where the meaning is plain: one string for a list, a number in a string.
 * @param prefix stands before the names of our tools, where they are offered under longer ones
 */
export function parseSearchInput(
  input: unknown,
  settings: Pick<Settings, 'maxResults' | 'maxResultsLimit'>,
  prefix = '',
): Parsed<SearchInput> {
  const object = asObject(input);
  if (!object) return bad(`${prefix}${SEARCH_TOOLS} takes an object such as {"queries": ["create issue"]}.`);
  const given = object.queries ?? object.query;
  const queries = (Array.isArray(given) ? given : [given]).filter(
    (query): query is string => typeof query === 'string' && query.trim() !== '',
  );
  if (queries.length === 0)
    return bad(
      `${prefix}${SEARCH_TOOLS} needs "queries": one to ${MAX_QUERIES} short phrases, such as {"queries": ["create issue"]}.`,
    );
  if (queries.length > MAX_QUERIES)
    return bad(
      `${prefix}${SEARCH_TOOLS} takes at most ${MAX_QUERIES} queries, not ${queries.length}. Send the most telling ones.`,
    );
  const type = object.search_type;
  if (type !== undefined && type !== null && type !== 'bm25' && type !== 'regex' && type !== 'exact') {
    return bad(
      `search_type is bm25, regex or exact, not ${cut(JSON.stringify(type), SHOWN_QUERY)}. Leave it out for the user's setting.`,
    );
  }
  const limit =
    object.limit === undefined || object.limit === null ? settings.maxResults : Math.floor(Number(object.limit));
  if (!Number.isFinite(limit) || limit < 1)
    return bad(`limit is a whole number from 1 to ${settings.maxResultsLimit}.`);
  const server =
    typeof object.server === 'string' && object.server.trim() !== '' ? cut(object.server, SHOWN_QUERY) : undefined;
  return {
    ok: true,
    value: {
      queries,
      ...(type ? { strategy: type } : {}),
      ...(server ? { server } : {}),
      ...(object.read_only === true || object.read_only === 'true' ? { readOnly: true } : {}),
      limit: Math.min(limit, settings.maxResultsLimit),
    },
  };
}

/** Reads the input of `describe_tool`. */
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

/** Reads the input of `call_tool`; some models send the arguments as a JSON text. */
export function parseCallInput(input: unknown, prefix = ''): Parsed<{ readonly name: string; readonly args: unknown }> {
  const object = asObject(input);
  if (typeof object?.name !== 'string' || object.name === '')
    return bad(
      `${prefix}${CALL_TOOL} needs "name" (a tool that ${prefix}${SEARCH_TOOLS} returned) and "arguments" (an object).`,
    );
  return { ok: true, value: { name: cut(object.name, MAX_QUERY), args: object.arguments ?? object.args ?? {} } };
}

/** One query with what came of it. */
export interface AnsweredQuery {
  readonly query: string;
  readonly outcome: SearchOutcome;
}

/** What a search returns to the model, and the tools in it. */
interface SearchAnswer {
  readonly json: { readonly [key: string]: Json };
  /** Best first, each once. */
  readonly found: readonly Tool[];
  /** What there is to say besides; may be empty. */
  readonly remarks: string;
}

/** Words the answer to a search: an object, never a bare array, with a message that says what to do next. */
export function answerSearch(inputs: {
  readonly answers: readonly AnsweredQuery[];
  readonly delivery: DeliveryName;
  readonly catalog: Catalog;
  readonly totalDeferred: number;
  /** Model names of eager tools that a query names: the model has them already. */
  readonly alreadyListed: readonly string[];
  readonly maxTools: number;
  /** Tools per query. */
  readonly limit: number;
  /** Stands before the names of our tools, where they are offered under longer ones. */
  readonly prefix?: string;
  /** Where `run_code` is offered: what tools were seen to return. */
  readonly shapes?: Shapes;
}): SearchAnswer {
  const { answers, delivery, catalog, totalDeferred, alreadyListed, prefix = '', shapes } = inputs;
  const hits = interleave(answers).slice(0, inputs.maxTools);
  const remarks: string[] = [];
  const found =
    hits.length > 0
      ? [
          `Found ${hits.length} ${hits.length === 1 ? 'tool' : 'tools'}. ${nextStep(delivery, prefix, shapes !== undefined)}`,
        ]
      : [];
  for (const { query, outcome } of answers) {
    const shown = cut(query, SHOWN_QUERY);
    if (!outcome.ok) remarks.push(`'${shown}': ${outcome.error.message}`);
    else if (outcome.hits.length === 0)
      remarks.push(
        `No tools found for '${shown}'. ${outcome.hint ?? (outcome.nearest.length > 0 ? `Nearest names: ${outcome.nearest.join(', ')}.` : 'Try other words.')}`,
      );
    const weak = weaker(outcome, inputs.limit).filter(({ tool }) => !hits.some((hit) => hit.tool.id === tool.id));
    if (weak.length > 0) {
      const names = weak.map(({ tool }) => tool.modelName).join(', ');
      remarks.push(
        `${weak.length} weaker ${weak.length === 1 ? 'match' : 'matches'}: ${names} ("select:NAME" returns one).`,
      );
    }
    if (outcome.ok && outcome.warning) remarks.push(outcome.warning);
  }
  if (alreadyListed.length > 0) remarks.push(`Already in your tools: ${alreadyListed.join(', ')}.`);
  const foundAll = answers.every(({ outcome }) => outcome.ok && outcome.hits.length > 0);
  const missing = foundAll ? [] : missingServers(catalog);
  const notSearched = foundAll ? '' : unavailable(catalog).trim();
  if (notSearched !== '') remarks.push(notSearched);
  return {
    found: hits.map((hit) => hit.tool),
    remarks: remarks.join(' '),
    json: {
      message: [...found, ...remarks].join(' '),
      tools: describeHits(hits, delivery, shapes),
      total_deferred: totalDeferred,
      ...(missing.length > 0 ? { unavailable_servers: missing.map(describeServer) } : {}),
    },
  };
}

/** Ranks of several queries into one list: all firsts, then all seconds, each tool once. */
function interleave(answers: readonly AnsweredQuery[]): SearchHit[] {
  const lists = answers.map(({ outcome }) => (outcome.ok ? outcome.hits : []));
  const merged = new Map<string, SearchHit>();
  for (let rank = 0; lists.some((list) => rank < list.length); rank++) {
    for (const list of lists) {
      const hit = list[rank];
      if (hit && !merged.has(hit.tool.id)) merged.set(hit.tool.id, hit);
    }
  }
  return [...merged.values()];
}

/** What the model can do with what it found. */
function nextStep(delivery: DeliveryName, prefix: string, code: boolean): string {
  const script = code ? ` ${prefix}${RUN_CODE} can call several of them at once.` : '';
  if (delivery !== 'bridge') return `You can call them now.${script}`;
  const whole = code ? '' : ` ${prefix}${DESCRIBE_TOOL} gives the whole schema.`;
  return `Run one with ${prefix}${CALL_TOOL}.${whole}${script}`;
}

/** Signatures stand where the model doesn't get the definitions, or may call from a script. */
function describeHits(hits: readonly SearchHit[], delivery: DeliveryName, shapes: Shapes | undefined): Json {
  let budget = delivery === 'bridge' || (delivery === 'local' && shapes) ? SIGNATURE_CHARS : 0;
  return hits.map((hit) => {
    const signature = budget > 0 ? toolSignature(hit.tool, 'brief', shapes) : '';
    const fits = signature.length <= budget && signature !== '';
    if (fits) budget -= signature.length;
    return {
      name: hit.tool.modelName,
      description: cut(hit.tool.description || hit.tool.title || '', DESCRIPTION_CHARS),
      server: hit.tool.server,
      score: Math.round(hit.score * 1000) / 1000,
      match_type: hit.matchType,
      ...(fits ? { signature } : {}),
    };
  });
}

function describeServer(server: ServerInfo): Json {
  return { name: server.name, state: server.state, ...(server.detail ? { detail: server.detail } : {}) };
}

/** The answer of `describe_tool`. */
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
