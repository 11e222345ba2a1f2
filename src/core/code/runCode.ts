// Runs the script of one call of `run_code`, and writes the answer for the model: its log, its value or its error.

import { RESERVED_NAMES, RUN_CODE } from '../catalog/modelNames';
import { cutResult } from '../conversation/cutResult';
import { resultText } from '../conversation/resultText';
import type { CallOutcome, ResultPart } from '../conversation/transcript';
import type { LedgerEntry } from '../ledger/ledger';
import type { ToolRun } from '../ports';
import type { Settings } from '../settings/settings';
import { cut } from '../util/cut';
import type { Redact } from '../util/knownSecrets';
import { asObject } from '../util/objects';
import { oneLine } from '../util/plainText';
import { type KeptOfChat, readingOf } from './keptResults';
import { FIND_AND_CALL, NOT_RUN, noOwnTool, Script, type ScriptDeps, type ScriptRun } from './runScript';
import { ENGINE_MIB, MAX_CODE, MAX_OTHER_REQUESTS, type SandboxEnd } from './sandboxPort';
import { scriptName } from './scriptName';
import { awaitedFirst, counted, onResults, silentFaults, toolAndMessage } from './silentFaults';

/** The maximum number of characters of a script's code, title and answer that the ledger stores. */
const LOGGED_CODE = 20_000;
const LOGGED_OUTPUT = 2_000;
const MAX_TITLE = 80;
/** The maximum number of characters of a result that a script lost. */
const MAX_LAST = 1_000;
/** The maximum number of characters of the failed line in an error message. */
const MAX_LINE = 160;

interface RunCodeDeps {
  readonly place: { readonly callId: string; readonly round: number };
  readonly script: ScriptDeps;
  /** The start of the tool's name, if an agent has it under a longer name. */
  readonly prefix: string;
  readonly settings: Pick<Settings, 'scriptSeconds' | 'scriptOutputChars'>;
  readonly now: () => number;
  readonly record: (entry: LedgerEntry) => void;
  /** Called with the title when the script begins. */
  readonly onStart: (title: string) => void;
}

/** Runs a model's input of `run_code`. Never rejects: errors are in the result, in words for the model. */
export async function runCode(input: unknown, deps: RunCodeDeps, signal: AbortSignal): Promise<ToolRun> {
  const { place, now, record, prefix, settings } = deps;
  const { code, title, problem } = readInput(input, prefix);
  const started = now();
  record({ type: 'scriptStarted', ...place, title, code: cut(code, LOGGED_CODE) });
  deps.onStart(title);
  const run = problem === undefined ? await new Script(deps.script, signal).run(code) : NOT_RUN;
  const answer: CodeAnswer =
    problem === undefined
      ? withoutSecrets(answerOf(run, code, deps), deps.script.code.redact)
      : { outcome: 'failed', logged: [], said: problem, note: problem };
  const { kept } = deps.script.code;
  const parts: readonly ResultPart[] = [
    ...cutAnswer(answer, settings.scriptOutputChars, prefix, (text) =>
      kept.keep(title === '' ? 'a script' : title, text),
    ),
    ...run.shown,
  ];
  const output = resultText({ parts });
  record({
    type: 'scriptEnded',
    ...place,
    outcome: answer.outcome,
    ms: now() - started,
    computeMs: Math.round(run.end.computeMs * 10) / 10,
    ...run.counts,
    outputChars: output.length,
    output: cut(output, LOGGED_OUTPUT),
    ...(answer.note === undefined ? {} : { note: answer.note }),
    ...(answer.line === undefined ? {} : { line: answer.line }),
  });
  return {
    outcome: answer.outcome,
    parts,
    ...(answer.outcome === 'cancelled' && run.counts.calls === 0 ? { notRun: true } : {}),
  };
}

/** Reads the input. It also accepts the code without an object, or in a Markdown fence. */
function readInput(
  input: unknown,
  prefix: string,
): { readonly code: string; readonly title: string; readonly problem?: string } {
  const object = asObject(input);
  const given = object?.code ?? (typeof input === 'string' ? input : undefined);
  const title = typeof object?.title === 'string' ? cut(oneLine(object.title), MAX_TITLE) : '';
  if (typeof given !== 'string' || given.trim() === '')
    return {
      code: '',
      title,
      problem: `${prefix}${RUN_CODE} needs "code": JavaScript, such as {"code": "return await tools.name({ … })"}.`,
    };
  const code = withoutFence(given);
  if (code.length > MAX_CODE)
    return {
      code,
      title,
      problem: `The script has ${code.length.toLocaleString('en')} characters, more than ${MAX_CODE.toLocaleString('en')}. Split the work.`,
    };
  return { code, title };
}

/** Returns the code without the Markdown fence that some models put around it. */
function withoutFence(code: string): string {
  const text = code.trim();
  const start = text.indexOf('\n');
  return text.startsWith('```') && text.endsWith('```') && start > 0 ? text.slice(start + 1, -3) : code;
}

interface CodeAnswer {
  readonly outcome: CallOutcome;
  /** The logged lines. In the answer, they precede `said`, the value or the error. */
  readonly logged: readonly string[];
  readonly said: string;
  /** The reason for a failure, in one sentence. */
  readonly note?: string;
  readonly line?: number;
}

/** Removes secrets. This comes before any cut, since a part of a secret wouldn't be recognized. */
function withoutSecrets(answer: CodeAnswer, redact: Redact): CodeAnswer {
  return { ...answer, logged: answer.logged.map(redact), said: redact(answer.said) };
}

/**
 * Returns the answer, cut to its limit. Logged lines are cut first, because the model waits for the value or the error.
 */
function cutAnswer(
  { logged, said }: CodeAnswer,
  maxChars: number,
  prefix: string,
  store: (text: string) => string | undefined,
): readonly ResultPart[] {
  const text = [...logged, ...(said === '' ? [] : [said])].join('\n');
  if (said.length > maxChars / 2) return cutResult([{ type: 'text', text }], { maxChars, store, prefix });
  if (text.length <= maxChars) return [{ type: 'text', text }];
  const lines = cutResult([{ type: 'text', text: logged.join('\n') }], {
    maxChars: maxChars - said.length,
    store: () => store(text),
    prefix,
  });
  return said === '' ? lines : [...lines, { type: 'text', text: said }];
}

/** Returns the logged lines, then the value or the error, then notes. */
function answerOf(run: ScriptRun, code: string, deps: RunCodeDeps): CodeAnswer {
  const { end } = run;
  const changed = counted(Object.fromEntries(run.changed));
  const failure = end.kind === 'returned' ? undefined : failureOf(end, code, deps, run.returned);
  const problems = silentFaults(run, code);
  const lines: string[] = [];
  if (failure) lines.push(failure.said);
  else if (end.kind === 'returned') {
    if (end.value.type !== 'nothing') lines.push(end.value.text);
    else if (end.logs.length === 0 && run.shown.length === 0) {
      if (/\breturn\b/.test(code))
        problems.unshift(
          `The script returned undefined.${misread(code, deps.script.code.kept) || onResults(run.returned)}`,
        );
      else {
        const ran =
          changed === '' ? '' : ` Don't run again: ${changed}. The last result: ${cut(run.lastChange, MAX_LAST)}`;
        lines.push(`The script returned nothing. End it with return.${ran}`);
      }
    }
  }
  // A script that is repeated with its slip mended must not change things twice.
  if (changed !== '' && (failure || problems.length > 0))
    problems.push(`These calls ran, and what they changed stays: ${changed}.`);
  lines.push(...problems);
  if (end.unawaited.length > 0)
    lines.push(`Not awaited, and failed: ${end.unawaited.map((it) => cut(it, 300)).join(' · ')}`);
  return {
    outcome: failure?.outcome ?? 'ok',
    logged: end.logs,
    said: lines.join('\n'),
    ...(failure ? { note: failure.note, ...(failure.line === undefined ? {} : { line: failure.line }) } : {}),
  };
}

/** Returns the reason for a failure, with advice on what to do. */
function failureOf(
  end: Exclude<SandboxEnd, { kind: 'returned' }>,
  code: string,
  { settings: { scriptSeconds }, script }: RunCodeDeps,
  returned: ScriptRun['returned'],
): CodeAnswer & { readonly note: string } {
  const of = (note: string) => ({ outcome: 'failed' as const, logged: [], said: note, note });
  if (end.kind === 'threw') {
    const { tool } = end;
    const at = spotIn(code, end);
    const name = tool === undefined ? oneLine(end.name) : '';
    const message = at?.isEnd ? TOO_SHORT : end.message;
    const what = [name === 'ToolError' ? '' : name, toolAndMessage({ ...end, message })].filter((it) => it !== '');
    const parsed = code.includes('JSON.parse') ? keptWords(script.code.kept) : '';
    const words = `${at ? `line ${at.line}, column ${at.column}: ` : ''}${sentence(what.join(': '))}${hintFor(end, at, code, script)}${READING_ERRORS.has(name) ? onResults(returned) || parsed : ''}`;
    return {
      ...of(cut(oneLine(words), 500)),
      said: at === undefined || at.text.trim() === '' ? words : `${words}\n> ${around(at)}`,
      ...(at ? { line: at.line } : {}),
    };
  }
  switch (end.reason) {
    case 'time':
      return of(
        `Stopped: the script computed for more than ${scriptSeconds} seconds (toolsearch.limits.scriptSeconds). End its loop, or split the work.`,
      );
    case 'calls':
      return of(
        `Stopped: more than ${script.limits.calls} calls (toolsearch.limits.callsPerScript). Filter first, or split the work.`,
      );
    case 'requests':
      return of(
        `Stopped: more than ${MAX_OTHER_REQUESTS.toLocaleString('en')} searches, results and timers together. Ask less often, or split the work.`,
      );
    case 'memory':
      return of(`Out of memory: a script has ${ENGINE_MIB} MiB. Work through results one by one.`);
    case 'stuck':
      return of('Stopped: it waits for something that never comes. Await a call, or return.');
    case 'cancelled':
      return { ...of('The user cancelled the script.'), outcome: 'cancelled' };
    case 'lost':
      return of(`The script's thread was lost: ${sentence(end.why ?? 'it ended by itself')} Call the tools directly.`);
  }
}

/** The errors of a script that read a result wrongly: SyntaxError comes from JSON.parse. */
const READING_ERRORS: ReadonlySet<string> = new Set(['TypeError', 'SyntaxError']);

/** A position in the code, with its line. */
interface Spot {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Whether the position is after the end of the code. */
  readonly isEnd: boolean;
}

/** Returns the position of an error; undefined if it isn't known, or if the script itself made the stack. */
function spotIn(code: string, { name, place }: Extract<SandboxEnd, { kind: 'threw' }>): Spot | undefined {
  if (!place) return undefined;
  const written = code.trimEnd().split('\n');
  const last = written.at(-1) ?? '';
  const isEnd = place.line > written.length || (place.line === written.length && place.column > last.length);
  if (!isEnd) return { ...place, text: written[place.line - 1] ?? '', isEnd };
  return name === 'SyntaxError' ? { line: written.length, column: last.length + 1, text: last, isEnd } : undefined;
}

/** Replaces the engine's message, which mentions the code that we add around the script. */
const TOO_SHORT = 'the script ends too early, a bracket or brace is still open';

/** Returns the line for a message. Of a long line, only the part around the column is shown. */
function around({ text, column }: Spot): string {
  const line = text.trim();
  if (line.length <= MAX_LINE) return line;
  const start = Math.max(0, Math.min(column - MAX_LINE / 2, text.length - MAX_LINE));
  return `${start > 0 ? '…' : ''}${cut(text.slice(start), MAX_LINE)}`;
}

/** Says which names a script has. */
const GLOBALS =
  "Beside JavaScript's own objects, a script has tools, search, describe, results, show, console, sleep, setTimeout, atob and btoa. Variables of earlier scripts are gone.";

/** Says how to read the whole results of earlier calls that were cut. */
function keptWords(kept: KeptOfChat): string {
  const ids = kept
    .list()
    .map(({ id }) => id)
    .slice(-5);
  return ids.length === 0 ? '' : ` Kept results: ${ids.join(', ')}. await results.get("${ids.at(-1)}") reads one.`;
}

/** Matches what is meant as `results.get("r1")`: `results.r1`, `results["r1"]`, `results("r1")`, `tools.results.get("r1")`. */
const MISREAD = /(?<![.\w$])(?:tools\.results\.\w+\(|results(?:[.(]|\[)(?=["'`]?r\d))["'`]?(r\d+)?["'`]?[\])]*/;

/** Says how a script reads the kept result that it read wrongly; empty if it read none so. */
function misread(code: string, kept: KeptOfChat): string {
  const found = MISREAD.exec(code);
  if (!found) return '';
  const [{ length }, id = ''] = found;
  const reading = readingOf(id, kept) ?? readingOf('results', kept) ?? '';
  return ` Write ${awaitedFirst(reading, code.slice(found.index + length))}.`;
}

const NO_IMPORT = ` There is no import or export in a script: ${FIND_AND_CALL}`;

/** Returns advice on an error, if the error shows what went wrong. */
function hintFor(
  { name, message }: { readonly name: string; readonly message: string },
  spot: Spot | undefined,
  code: string,
  { tools, code: { kept } }: ScriptDeps,
): string {
  const { text = '', column = 1 } = spot ?? {};
  const before = text.slice(Math.max(0, column - 1 - MAX_LINE), column - 1);
  const after = text.slice(column - 1, column - 1 + MAX_LINE);
  if (PYTHON_ERRORS.has(name) && (PYTHON_LINE.test(code) || PYTHON.test(code)))
    return ' A script is JavaScript, not Python: return await tools.NAME({ … })';
  if (name === 'ReferenceError' && / is not defined$/.test(message)) {
    const missing = message.slice(0, -' is not defined'.length);
    if (tools.some(({ modelName }) => scriptName(modelName) === missing)) return ` Call it as tools.${missing}(args).`;
    if (RESERVED_NAMES.has(missing)) return ` ${noOwnTool(missing)}`;
    return ` ${GLOBALS}${keptWords(kept)}`;
  }
  if (name === 'ReferenceError' && /could not load module/.test(message)) return NO_IMPORT;
  const wrong = name === 'TypeError' ? misread(code, kept) : '';
  if (wrong !== '') return wrong;
  if (name === 'TypeError' && message === 'not a function' && DOTTED.test(before + after))
    return ' A tool has one name, as search shows it: tools.github_list_issues(args), and of that .text(args) and .parts(args).';
  if (name !== 'SyntaxError' || spot?.isEnd) return '';
  if (/^\s*(?:import|export)\b/.test(text)) return NO_IMPORT;
  if (message === 'unexpected character')
    return ` It is U+${(after.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}.`;
  if (/\bawait\s+$/.test(before)) return ' await stands in async functions alone: make the one round it async.';
  return isTyped(before, after) ? ' Write JavaScript without types.' : '';
}

/** The errors of a script in Python: its syntax, or its functions and values. */
const PYTHON_ERRORS: ReadonlySet<string> = new Set(['SyntaxError', 'ReferenceError']);
/** Match what is Python and not JavaScript: a line, or a part of one. */
const PYTHON_LINE =
  /^[ \t]*(?:(?:def|class|for|if|elif|while|with) [^\n]*:|else:|try:|import \w+(?: as \w+)?|from [\w.]+ import [^\n]*)[ \t]*$/m;
const PYTHON = /(?:^|[\s(=])(?:print|len)\(|\bf"[^"\n]*\{|[=(,] ?(?:None|True|False)\b|[\])\w] for \w+ in \w/;

/** Matches a tool that the script names in two steps, by its server and its own name, or as text: `tools("NAME")`. */
const DOTTED = /\btools(?:\.\w+\.(?!(?:text|parts)\b)\w+)?\s*\(/;

/** Whether the engine failed at a type annotation. */
function isTyped(before: string, after: string): boolean {
  if (/^\??:/.test(after)) return /(?:\b(?:const|let|var)\s+[\w$]+|[({,;]\s*[\w$]+|[)}\]])\s*$/.test(before);
  if (/^<\w/.test(after)) return /\w$/.test(before);
  return (
    /^as\s/.test(after) ||
    /\b(?:interface|type|enum|namespace|declare)\s+$/.test(before) ||
    /\w<[\w\s,|]*>?\(?$/.test(before)
  );
}

function sentence(text: string): string {
  return /[.!?)\]}]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
