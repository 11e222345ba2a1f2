import { rank, words } from './search.mjs';

/**
 * The stand-in's "model", the same for both services. It searches for the prompt (`get-sum a=2 b=40`), calls the first
 * found tool whose required arguments the prompt contains, and answers with the results. It calls a tool without a
 * search if the prompt names it and it is already in the context: `times=30` so often in one reply. `run:` begins a
 * script for `run_code`. ` & ` is between tools in the context that it calls at once. `callable`: tools in the context,
 * `{name, description, schema}`. `results`: texts of the tools called in this turn. `found`: tools that this turn's
 * last search returned, undefined if there was none. `searches`: a search is offered. `forced`: a call is demanded.
 */
export function decide({ prompt, callable, results, found, searches, forced = false }) {
  if (prompt.startsWith('For each tool below write 12 to 20 words')) return { say: searchWords(prompt) };
  const parsed = parsePrompt(prompt);
  if (forced && callable.length > 0)
    return firstCall(callable, parsed) ?? { call: { name: callable[0].name, input: parsed.named } };
  if (results.length > 0) return { say: results.join('\n') };
  const script = prompt.trim();
  if (script.startsWith('run:') && callable.some(({ name }) => name === 'run_code'))
    return { call: { name: 'run_code', input: { title: 'A script', code: script.slice(4).trim() } } };
  const parts = script.split(' & ').map(parsePrompt);
  const calls = parts.map(
    (part) =>
      firstCall(
        callable.filter(({ name }) => isNamed(name, part.words)),
        part,
      )?.call,
  );
  if (calls.length > 1 && calls.every(Boolean)) return { calls };
  if (found !== undefined) {
    const tools = found
      .map(
        (tool) =>
          callable.find(({ name }) => name.replaceAll('-', '_') === tool.name.replaceAll('-', '_')) ??
          bridged(tool, callable),
      )
      .filter((tool) => tool !== undefined);
    if (tools.length === 0) return { say: `No tools found for '${parsed.words}'.` };
    return (
      firstCall(tools, parsed) ?? {
        say: `Found ${tools.map((tool) => tool.name).join(', ')}, but the prompt lacks arguments.`,
      }
    );
  }
  const named = callable.filter((tool) => isNamed(tool.name, parsed.words));
  const call = firstCall(named, parsed);
  if (call) return call;
  if (searches && parsed.words !== '') return { search: parsed.words };
  return (
    firstCall(rank(parsed.words, callable), parsed) ?? {
      say: callable.length === 0 ? 'I have no tools.' : 'No tool of this request fits.',
    }
  );
}

/** The calls of a decision: several, one, or with the fault `twice` the same one twice. */
export const callsIn = ({ call, calls = [call] }, faults) => (faults.has('twice') ? [...calls, ...calls] : calls);

/** Search words by the name of a tool, in English and German. Other tools get their own name. */
const SEARCH_WORDS = { add: { en: 'sum up, plus, total of', de: 'zusammenzählen, addieren, Summe bilden' } };

/** The answer to a request for search words: a line of JSON for each definition. */
function searchWords(prompt) {
  const lines = prompt.split('\n').filter((line) => line.startsWith('{"n":'));
  return lines
    .map((line) => {
      const { n, id } = JSON.parse(line);
      const name = id.split('/').at(-1);
      return JSON.stringify({ n, ...(SEARCH_WORDS[name] ?? { en: `${name} thing`, de: `${name} Ding` }) });
    })
    .join('\n');
}

/** Whether a tool is Tool Search's `search_tools`, with the name in `@toolsearch` or in an agent of VS Code. */
export const isSearch = (name) => /^(toolsearch_)?search_tools$/.test(name ?? '');

/** A tool that the context only describes, called through `call_tool`. */
function bridged(tool, callable) {
  const runs = callable.find(({ name }) => /^(toolsearch_)?call_tool$/.test(name));
  return runs && tool.schema ? { ...tool, bridge: runs.name } : undefined;
}

/** A tool's line in an answer of `search_tools`: `get_sum({ a: number; b?: number }) => number // Description`. */
const TOOL_LINE = /^(\w[\w-]*)(?:\((.*?)\)(?: => .*?)?)?(?: \/\/ (.*))?$/;

/** The tools that an answer of `search_tools` lists. */
export function listedTools(text) {
  return text.split('\n').flatMap((line) => {
    const [, name, args, description = ''] = TOOL_LINE.exec(line) ?? [];
    return name === undefined ? [] : [{ name, description, schema: args === undefined ? undefined : schemaOf(args) }];
  });
}

/** The schema of a tool's arguments, read from its signature: `{ a: number; b?: number }`. */
function schemaOf(args) {
  const found = [...args.matchAll(/([A-Za-z_]\w*)(\??): (string|number|boolean)?/g)];
  return {
    properties: Object.fromEntries(found.map(([, name, , type]) => [name, type ? { type } : {}])),
    required: found.filter(([, , optional]) => optional === '').map(([, name]) => name),
  };
}

/** Whether the words of the tool's name end in the prompt's words, as `everything_get_sum` ends in `get-sum`. */
function isNamed(name, prompt) {
  const asked = words(prompt).join(' ');
  return asked !== '' && ` ${words(name).join(' ')}`.endsWith(` ${asked}`);
}

function firstCall(tools, parsed) {
  for (const tool of tools) {
    const input = fill(tool.schema, parsed);
    if (!input) continue;
    const call = tool.bridge
      ? { name: tool.bridge, input: { name: tool.name, arguments: input } }
      : { name: tool.name, input };
    return { call, calls: Array(parsed.named.times ?? 1).fill(call) };
  }
  return undefined;
}

const PAIR = /(^|\s)([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|\S+)/g;
/** Instructions to the stand-in itself; see faults.mjs. */
const MARKER = /\[\[[^\]]*\]\]/g;

/** A file or folder, as people name it in a question. */
const PLACE = /\b(?:this folder|the (?:text )?(?:file|folder) (\.?[\w-]+(?:[./][\w-]+)*))/;

/** Extracts `name=value` pairs, a JSON object and a path from a prompt. The words include the path. */
export function parsePrompt(prompt) {
  const named = {};
  let rest = prompt.replace(MARKER, ' ');
  const json = rest.match(/\{.*\}/s);
  if (json) {
    const value = parseJson(json[0]);
    if (typeof value === 'object' && value !== null) {
      Object.assign(named, value);
      rest = rest.replace(json[0], ' ');
    }
  }
  rest = rest.replace(PAIR, (_, before, name, value) => {
    named[name] = parseJson(value) ?? value;
    return before;
  });
  const place = PLACE.exec(rest);
  if (place) named.path ??= place[1] ?? '.';
  const whole = rest.replace(/\s+/g, ' ').trim();
  // Tools that are named with # aren't what the question is about, if it has other words.
  return { words: whole.replace(/#\S+\s*/g, '') || whole, named };
}

function fill(schema, { named }) {
  const properties = schema?.properties ?? {};
  const input = {};
  for (const [name, value] of Object.entries(named)) {
    if (name in properties)
      input[name] = properties[name]?.type === 'string' && typeof value !== 'string' ? String(value) : value;
  }
  return (schema?.required ?? []).every((name) => name in input) ? input : undefined;
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
