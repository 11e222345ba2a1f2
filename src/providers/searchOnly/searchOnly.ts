import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../../core/catalog/modelNames';
import { type JsonSchema, type Tool, type ToolDefinition, toolId } from '../../core/catalog/tool';
import { resultText } from '../../core/conversation/resultText';
import { isQuestion, type Transcript } from '../../core/conversation/transcript';
import { ToolIndex } from '../../core/search/toolIndex';
import { cut } from '../../core/util/cut';
import { l10n } from '../../core/util/l10n';
import { asObject, parseJson } from '../../core/util/objects';
import { trimOf } from '../../core/util/trim';
import { type ParsedPrompt, parsePrompt } from './prompt';
import { exampleInput, fillArguments, listArguments } from './toolArguments';

/** The answer to one request: a text, calls, or both. */
interface SearchOnlyReply {
  readonly text: string;
  readonly calls: readonly { readonly callId: string; readonly name: string; readonly input: object }[];
}

/** A tool in the request or in the result of a search. */
interface Known {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema | undefined;
  /** Whether the tool is called through `call_tool`, since it isn't in the request. */
  readonly bridged: boolean;
}

/** The beginning of a prompt that contains a script. */
const SCRIPT = 'run:';
/**
 * The maximum number of characters of a result that are shown. A script's output fits, with the note that it was cut.
 */
const RESULT_CHARS = 21_000;
/** The maximum number of characters of a result that is shown in the text, not in a code block. */
const LINE_CHARS = 200;
/** The maximum number of tools that are listed if none could be called. */
const LISTED = 10;

/**
 * "Search only (no AI)": a program that uses the same tool-calling protocol as a model. It searches with the prompt,
 * calls the first tool found if the prompt has its required arguments, and otherwise lists the tools found. A prompt
 * that begins with `run:` is a script. The reply depends only on the request.
 */
export function reply(transcript: Transcript, tools: readonly ToolDefinition[]): SearchOnlyReply {
  const start = transcript.findLastIndex(isQuestion);
  const asked = transcript[start];
  const text = asked?.kind === 'user' ? asked.text.trim() : '';
  const parsed = parsePrompt(text);
  const reply = transcript.slice(0, start).findLastIndex(({ kind }) => kind === 'assistant');
  const wish = inOrder(wishedNames(transcript.slice(reply + 1)), parsed);
  const prompt = wish.length > 0 ? { ...parsed, words: wish.map((name) => `#${name}`).join(' ') } : parsed;
  const turn = transcript.slice(start + 1);
  const calls = turn.flatMap((item) => (item.kind === 'assistant' ? item.calls : []));
  const nameOf = new Map(calls.map(({ callId, name }) => [callId, name]));
  const last = turn.findLast((item) => item.kind === 'results');
  const results = (last?.results ?? []).map((result) => ({
    tool: nameOf.get(result.callId) ?? '',
    text: resultText(result),
    isRefused: result.outcome !== 'ok',
  }));

  const described = results.find((result) => result.tool === DESCRIBE_TOOL);
  if (described) return applyFirst(fromResult(described.text, tools), prompt, tools);
  const searched = results.find((result) => result.tool === SEARCH_TOOLS);
  // An answer without a hit advises a model, not the user.
  if (searched)
    return applyFirst(fromLines(searched.text, tools), prompt, tools, searched.isRefused ? searched.text : '');
  if (results.length > 0) return say(results.map((result) => showResult(result.text)).join('\n\n'));
  if (text.startsWith(SCRIPT)) return runScript(text.slice(SCRIPT.length).trim(), tools);
  const wished = tools.filter(({ name }) => wish.includes(name)).map(inRequest);
  if (wished.length > 0) return applyFirst(wished, prompt, tools);
  if (tools.some(({ name }) => name === SEARCH_TOOLS)) {
    // The search finds only deferred tools, so tools in the request are looked up by name.
    const named = tools.filter((tool) => namesTool(prompt, tool.name)).map(inRequest);
    return named.length > 0 ? applyFirst(named, prompt, tools) : call(SEARCH_TOOLS, { queries: [prompt.words] });
  }
  if (tools.length === 0)
    return say(l10n.t('Search only is not a language model. It only searches tools, and this request has none.'));
  return applyFirst(rank(prompt.words, tools), prompt, tools, l10n.t('No tool in this request matches.'));
}

/** Returns the names of the tools that the question names with `#`. A note beside the question tells them to models. */
function wishedNames(items: Transcript): readonly string[] {
  const notes = items.map((item) => (item.kind === 'user' ? item.text : '')).join('\n');
  const [, one, many] =
    /^\(The user named (?:the tool (\S+) for|these tools for this question: ([^.]+)\.)/m.exec(notes) ?? [];
  return (one ?? many)?.split(', ') ?? [];
}

/** Returns names in the order in which a prompt mentions them. */
function inOrder(names: readonly string[], prompt: ParsedPrompt): readonly string[] {
  const mentioned = toolNames(prompt).flatMap((word) => names.filter((name) => isName(word, name)));
  return [...new Set([...mentioned, ...names])];
}

function runScript(code: string, tools: readonly ToolDefinition[]): SearchOnlyReply {
  return tools.some((tool) => tool.name === RUN_CODE)
    ? call(RUN_CODE, { code, title: l10n.t('Your script') })
    : say(l10n.t('This request has no run_code. Scripts need deferred tools or toolsearch.codeMode set to on.'));
}

/**
 * Returns the matching tools of the request, best first. Used if no tools are deferred, since the request then has no
 * search tool.
 */
function rank(query: string, tools: readonly ToolDefinition[]): readonly Known[] {
  const index = new ToolIndex(
    tools.map(
      (tool): Tool => ({
        ...tool,
        id: toolId('request', tool.name),
        server: 'request',
        modelName: tool.name,
        invokeName: tool.name,
        origin: 'mcp',
      }),
    ),
  );
  const outcome = index.search({ query, strategy: 'auto', limit: LISTED });
  return outcome.ok ? outcome.hits.map(({ tool }) => inRequest(tool)) : [];
}

function inRequest({ name, description, inputSchema }: ToolDefinition): Known {
  return { name, description, schema: inputSchema, bridged: false };
}

/**
 * Returns the words of a prompt that can only be tool names, such as `#echo`, `get_account` or `getAccount`. The first
 * word may also be `get-sum` or `bank/get_account`.
 */
function toolNames({ words }: ParsedPrompt): readonly string[] {
  const all = words.split(' ').map((word) => trimOf(word, '()"\'`.,:;!?'));
  const marked = all.filter((word) => /^#\w/.test(word));
  if (marked.length > 0) return marked.map((word) => word.slice(1));
  const [first = ''] = all;
  return [
    ...(/^\w+([-/]\w+)+$/.test(first) ? [first] : []),
    ...all.filter(
      (word) => /^(?:[\w.-]+\/)?[\w-]+$/.test(word) && /[A-Za-z0-9]_[A-Za-z0-9]|^[a-z]{2,}(?:[A-Z][a-z]+)+$/.test(word),
    ),
  ];
}

function namesTool(prompt: ParsedPrompt, name: string): boolean {
  return toolNames(prompt).some((word) => isName(word, name));
}

/** Whether a word is a tool's name, with or without its server: `bank_get_account`, `bank/get_account`, `get_account`. */
function isName(word: string, name: string): boolean {
  const [known, wanted] = [plainName(name), plainName(word)];
  // `server` is the part before the wanted name. If it contains an underscore, the wanted name may be the end of
  // another tool's name.
  const server = known.endsWith(`_${wanted}`) ? name.slice(0, -wanted.length - 1) : '_';
  return known === wanted || !server.includes('_') || known === plainName(word.slice(word.lastIndexOf('/') + 1));
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}

function call(name: string, input: object): SearchOnlyReply {
  return { text: '', calls: [{ callId: `search-only-${name}`, name, input }] };
}

function say(text: string): SearchOnlyReply {
  return { text, calls: [] };
}

/** The name in a line of a search's answer: `name(arguments) => result // description`. All but the name is optional. */
const FOUND_NAME = /^\w[\w-]*(?=$| \/\/ |\(.*\))/;

/** Returns the tools in a search's answer. The request's tools are also found by the names that scripts use. */
function fromLines(text: string, tools: readonly ToolDefinition[]): readonly Known[] {
  return text.split('\n').flatMap((line): readonly Known[] => {
    const name = FOUND_NAME.exec(line)?.[0];
    if (name === undefined) return [];
    const offered = tools.find((tool) => tool.name.replaceAll('-', '_') === name.replaceAll('-', '_'));
    return [offered ? inRequest(offered) : { name, description: '', schema: undefined, bridged: true }];
  });
}

function fromResult(text: string, tools: readonly ToolDefinition[]): readonly Known[] {
  const listed = asObject(text)?.tools;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry): Known[] => {
    const { name, description: given, input_schema: sent } = asObject(entry) ?? {};
    if (typeof name !== 'string') return [];
    const offered = tools.find((tool) => tool.name === name);
    const description = typeof given === 'string' ? given : '';
    return [{ name, description, schema: offered?.inputSchema ?? asObject(sent), bridged: !offered }];
  });
}

/**
 * Calls the first tool if the prompt has its arguments, and otherwise lists the tools. First requests the definitions if
 * they are missing.
 */
function applyFirst(
  found: readonly Known[],
  prompt: ParsedPrompt,
  tools: readonly ToolDefinition[],
  nothing = '',
): SearchOnlyReply {
  const named = toolNames(prompt);
  const first = named.map((word) => found.find(({ name }) => isName(word, name))).find(Boolean) ?? found[0];
  if (!first) return say(nothing || l10n.t('No tools found.'));
  if (!first.schema && tools.some((tool) => tool.name === CALL_TOOL))
    return call(DESCRIBE_TOOL, { names: found.slice(0, LISTED).map(({ name }) => name) });
  // If the prompt names a tool, no other tool is called, since that could change something.
  const isMeant = named.length === 0 || namesTool(prompt, first.name);
  const args = isMeant && first.schema && fillArguments(first.schema, prompt);
  if (args) return first.bridged ? call(CALL_TOOL, { name: first.name, arguments: args }) : call(first.name, args);
  return say(listTools(found, prompt));
}

function listTools(found: readonly Known[], prompt: ParsedPrompt): string {
  const lines = found.slice(0, LISTED).map((tool) => {
    const args = tool.schema ? listArguments(tool.schema) : [];
    const names = args.map((arg) => `${arg.name}${arg.required ? '' : '?'}: ${arg.type}`).join(', ');
    return `- ${code(tool.name)}${names ? ` (${code(names)})` : ''} ${inline(cut(tool.description.split('\n')[0] ?? '', 160))}`;
  });
  const first = found[0];
  const example =
    first?.schema && (toolNames(prompt).length === 0 || namesTool(prompt, first.name))
      ? `\n\n${l10n.t('The first tool needs arguments that your question doesn’t contain. For example:')}\n\n${fence(`@toolsearch ${first.name} ${exampleInput(first.schema)}`)}`
      : '';
  return `${l10n.t('Found for “{0}”:', inline(prompt.words))}\n\n${lines.join('\n')}${example}`;
}

/** Returns external text on one line, without markdown. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`<>[\]*_|#]/g, '\\$&');
}

function code(text: string): string {
  return `\`${text.replace(/[\s`]+/g, ' ').trim()}\``;
}

/** Returns a result as text if it is one short line without markup, otherwise as a code block. */
function showResult(result: string): string {
  const text = onlyText(result) ?? result;
  const plain = text.trim();
  return plain.length <= LINE_CHARS && /^[^\n\\`<>[\]*_|#{}]+$/.test(plain) ? plain : fence(cut(text, RESULT_CHARS));
}

/** Returns the text of a JSON result with a single text in it: `{"content": "..."}`; undefined for other results. */
function onlyText(result: string): string | undefined {
  let value = /^\s*[{[]/.test(result) ? parseJson(result) : undefined;
  while (typeof value === 'object' && value !== null) {
    const inner: readonly unknown[] = Object.values(value);
    if (inner.length !== 1) return undefined;
    value = inner[0];
  }
  return typeof value === 'string' ? value : undefined;
}

/** Returns a code block. Its fence is longer than any in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
