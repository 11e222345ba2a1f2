// A double of a language model that strictly follows our texts. It knows a task, but of our tools only the words of a
// request. It reads each rule below from those words, and doesn't follow a rule whose words are missing.

import { resultText } from '../../../../src/core/conversation/resultText';
import type { ModelEvent, ModelPort, ModelRequest } from '../../../../src/core/ports';
import { CountRefused } from '../../../../src/core/ports';

/** One part of a task that needs a tool. */
interface Need {
  /**
   * Phrases for a search, the second one in other words. They are in English, as a user writes without instructions on
   * the language.
   */
  readonly english: readonly [string, string];
  readonly otherwise: string;
  /** Recognises a line that describes a suitable tool. */
  readonly fits: RegExp;
}

/** A task as a user asks it; `DIR` is replaced by the workspace. */
export interface LiteralTask {
  readonly name: string;
  /** How found tools reach the model, if not over a bridge beside scripts. */
  readonly way?: { readonly delivery: 'local' | 'bridge'; readonly codeMode: 'off' };
  readonly needs: readonly Need[];
  /** Whether the tool's whole definition answers the task. */
  readonly explains?: true;
  /** Arguments of the one call that answers the task. */
  readonly args?: { readonly [name: string]: unknown };
  /**
   * The script that answers the task. `TEXT1(…)` and `OBJECT1(…)` call the tool of the first need for plain text or for
   * an object, `SEARCH(…)` searches, `KEPT` is the cut result of a first direct call with `args`.
   */
  readonly script?: string;
  /** Arguments with which the script first calls `OBJECT1`, to learn the fields of its result. */
  readonly looksFirst?: string;
  /** Matches a correct last answer. */
  readonly right: RegExp;
}

/** The rules that the double follows, each by the words that state it. */
export const RULES = {
  search: /are behind (\w+)\./,
  workspace: /Workspace: (\S+)/,
  stop: /if nothing fits, say so/,
  language: /English/,
  line: /Finds tools\b/,
  whole: /"select:NAME" gives a whole definition/,
  describe: /Gives the whole definition of found tools/,
  call: /Calls a found tool: its name, and its own arguments inside "arguments"/,
  next: /You can call a found tool by name from your next step on/,
  inner: /Also await search\("phrase"\)/,
  text: /tools\.NAME\.text\(args\) is plain text/,
  object: /tools\.NAME\(args\) an object if it is JSON/,
  look: /console\.log it first if unsure of its fields/,
  out: /only what you return or log reaches you/,
  kept: /results\.get\("r3"\) \(a cut result's text\)/,
} as const;
export type Rule = keyof typeof RULES;

/** A request without the words of one rule. */
export function without(rule: Rule, request: ModelRequest): ModelRequest {
  const cut = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? part.replace(RULES[rule], '') : part));
  return { ...request, system: cut(request.system), tools: request.tools.map(cut) };
}

interface Line {
  readonly name: string;
  readonly args: string;
  readonly returns: string | undefined;
  readonly words: string;
}

/** Plays a task, guided by the words of each request. */
export function literalModel(task: LiteralTask, seen: (request: ModelRequest) => ModelRequest = (it) => it): ModelPort {
  let calls = 0;
  let searches = 0;
  const found: (Line | undefined)[] = task.needs.map(() => undefined);
  const asked = new Set<string>();
  const step = (request: ModelRequest): ModelEvent => {
    const texts = wordsIn(request);
    const rule = (name: Rule) => RULES[name].exec(texts) ?? undefined;
    const dir = rule('workspace')?.[1] ?? '/workspace';
    const inDir = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll('DIR', dir));
    const call = (name: string, input: object): ModelEvent => ({
      type: 'call',
      callId: `c${++calls}`,
      name,
      input: inDir(input),
    });
    const answer = (text: string): ModelEvent => ({ type: 'text', text });
    const last = request.transcript.at(-1);
    const result = last?.kind === 'results' ? last.results.map(resultText).join('\n') : '';
    const has = (name: string) => request.tools.some((tool) => tool.name === name);

    // Finds a tool for each need, or gives up as the guidance demands.
    const open = task.needs.findIndex((_, i) => found[i] === undefined);
    if (open >= 0 && searches > 0 && rule('line')) readLines(result, task.needs, found);
    const missing = task.needs.findIndex((_, i) => found[i] === undefined);
    if (missing >= 0) {
      const search = rule('search')?.[1];
      if (search === undefined) return answer('I have no tool for that.');
      if (searches >= 2 && rule('stop')) return answer('There is no such tool.');
      if (searches >= 8) return answer('I am still searching.');
      const phrases = task.needs.map((need) =>
        rule('language') ? need.english[Math.min(searches, 1)] : need.otherwise,
      );
      searches++;
      return call(search, { queries: phrases });
    }
    const tools = found as readonly Line[];
    const first = tools[0]?.name ?? '';
    if (task.explains) {
      const describes = has('describe_tool');
      if (asked.has('whole') || !rule(describes ? 'describe' : 'whole')) return answer(result);
      asked.add('whole');
      if (describes) return call('describe_tool', { names: [first] });
      return call(rule('search')?.[1] ?? '', { queries: [`select:${first}`] });
    }
    if (task.args && !asked.has('call')) {
      if (!rule(has(first) ? 'next' : 'call')) return answer('I can call nothing.');
      asked.add('call');
      if (has(first)) return call(first, task.args);
      return call('call_tool', { name: first, arguments: task.args });
    }
    if (task.script === undefined || asked.has('script')) return answer(result);
    if (!has('run_code')) return answer('I can run no script.');
    if (task.looksFirst !== undefined && rule('look') && tools[0]?.returns === undefined && !asked.has('look')) {
      asked.add('look');
      return call('run_code', { title: 'A look', code: `console.log(await tools.${first}(${task.looksFirst}))` });
    }
    if (task.looksFirst !== undefined && !asked.has('look')) return answer('I do not know what the tool returns.');
    asked.add('script');
    const keptId = /kept as "(r\d+)"/.exec(textOf(request))?.[1];
    if (task.script.includes('KEPT') && (!rule('kept') || keptId === undefined))
      return answer('I only have the first part of the result.');
    if (task.script.includes('SEARCH') && !rule('inner')) return answer('I can search in no script.');
    const code = codeOf(task.script, tools, rule)
      .replaceAll('KEPT', `await results.get("${keptId}")`)
      .replace('SEARCH(', 'await search(');
    return call('run_code', {
      title: task.name,
      code: rule('out') ? code : code.replace(/return (?!.*return )/s, 'const answer = '),
    });
  };
  return {
    info: { id: 'literal', vendor: 'test', name: 'Literal', maxInputTokens: 0, toolCalling: true, maxTools: 128 },
    countTokens: () => Promise.reject(new CountRefused('No model counts here.')),
    async *send(request) {
      yield step(seen(request));
    },
  };
}

/** The script with calls in the form that the texts demand: `.text()` for text, and the call itself for an object. */
function codeOf(script: string, tools: readonly Line[], rule: (name: Rule) => unknown): string {
  const nameOf = (n: string) => tools[Number(n) - 1]?.name;
  return script
    .replace(/TEXT(\d)\(/g, (_, n: string) => `await tools.${nameOf(n)}${rule('text') ? '.text' : ''}(`)
    .replace(/OBJECT(\d)\(/g, (_, n: string) => `await tools.${nameOf(n)}${rule('object') ? '' : '.text'}(`);
}

/** All words about tools that a request contains. */
function wordsIn({ system, tools }: ModelRequest): string {
  const definitions = tools.map((tool) => `${tool.description} ${JSON.stringify(tool.inputSchema)}`);
  return [system, ...definitions].join('\n').replaceAll('\\"', '"');
}

function textOf({ transcript }: ModelRequest): string {
  return transcript.flatMap((item) => (item.kind === 'results' ? item.results.map(resultText) : [])).join('\n');
}

/**
 * Reads the lines of an answer in the form that the search's description states. Each need takes the first line that
 * fits.
 */
function readLines(text: string, needs: readonly Need[], found: (Line | undefined)[]): void {
  for (const line of text.split('\n')) {
    const [, name, args = '', returns, words] = /^([\w-]+)(?:\((.*?)\))?(?: => (.*?))? \/\/ (.*)$/.exec(line) ?? [];
    if (name === undefined || words === undefined) continue;
    for (const [i, need] of needs.entries()) if (need.fits.test(words)) found[i] ??= { name, args, returns, words };
  }
}
