import { RUN_CODE } from '../catalog/modelNames';
import type { ToolDefinition } from '../catalog/tool';
import type { LedgerEntry } from '../ledger/ledger';
import type { ToolRun } from '../ports';
import { cut } from '../text/cut';
import { asObject } from '../text/objects';
import { oneLine } from '../text/plainText';
import { resultText } from '../transcript/resultText';
import type { CallOutcome, ResultPart } from '../transcript/transcript';
import { cutResult } from './cutResult';
import type { SandboxEnd } from './sandboxPort';
import { runScript, type ScriptDeps, type ScriptRun } from './script';

/** Characters of a script's code, and how much of it, of its title and of its answer the ledger keeps. */
const MAX_CODE = 100_000;
const LOGGED_CODE = 20_000;
const LOGGED_OUTPUT = 2_000;
const MAX_TITLE = 80;
/** Characters of the line that failed. */
const MAX_LINE = 160;

/** Our own tool that runs scripts: it never changes, so a cached prefix that holds it stays. */
export const RUN_CODE_DEFINITION: ToolDefinition = {
  id: RUN_CODE,
  server: '',
  name: RUN_CODE,
  description:
    'Runs JavaScript that calls tools. Use it for several calls, for loops, and where you need only a part of a result: what the script does not return or log never reaches you. Tools are async functions, named and typed as search_tools shows them: await tools.github_list_issues({ owner, repo }). A call gives the result as an object where it is JSON, else as text; tools.name.text(args) always gives text. A call that failed or was skipped throws a ToolError (tool, outcome). Inside a script, await search("create issue") finds tools and await results.get("r3") reads a result that was cut. Start independent calls together with Promise.all; the user may be asked about calls that change something. End with return. There is no import, network, file or process; await sleep(ms) waits.',
  inputSchema: {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'The script.' },
      title: { type: 'string', description: 'What it does, in a few words for the user.' },
    },
    required: ['code'],
  },
};

/** What a script is run with, and what hears of it. */
export interface RunCodeDeps {
  readonly callId: string;
  readonly round: number;
  readonly script: ScriptDeps;
  readonly scriptSeconds: number;
  readonly scriptOutputChars: number;
  readonly now: () => number;
  readonly record: (entry: LedgerEntry) => void;
  /** Hears the title once the script begins. */
  readonly onStart: (title: string) => void;
}

/** Runs what a model sent to `run_code`. Never rejects: what goes wrong is in the result, in words for the model. */
export async function runCode(input: unknown, deps: RunCodeDeps, signal: AbortSignal): Promise<ToolRun> {
  const { callId, round, now, record } = deps;
  const { code, title, problem } = readInput(input);
  const started = now();
  record({ type: 'scriptStarted', round, callId, title, code: cut(code, LOGGED_CODE) });
  deps.onStart(title);
  const run = problem === undefined ? await runScript(code, deps.script, signal) : NOT_RUN;
  const answer = problem === undefined ? answerOf(run, code, deps) : { outcome: 'failed' as const, text: problem, note: problem };
  const kept = deps.script.kept;
  const parts: readonly ResultPart[] = [
    ...cutResult([{ type: 'text', text: answer.text }], {
      maxChars: deps.scriptOutputChars,
      keep: (text) => kept.keep(title === '' ? 'a script' : title, text),
    }),
    ...run.shown,
  ];
  const output = resultText({ parts });
  record({
    type: 'scriptEnded',
    round,
    callId,
    outcome: answer.outcome,
    ms: now() - started,
    computeMs: Math.round(run.end.computeMs * 10) / 10,
    calls: run.calls,
    failed: run.failed,
    servers: run.servers,
    returnedChars: run.returnedChars,
    countedChars: run.countedChars,
    outputChars: output.length,
    output: cut(output, LOGGED_OUTPUT),
    ...(answer.note === undefined ? {} : { note: answer.note }),
    ...('line' in answer && answer.line !== undefined ? { line: answer.line } : {}),
  });
  return { outcome: answer.outcome, parts };
}

/** Reads the input, lenient where the meaning is plain: the code alone, or in a fence. */
function readInput(input: unknown): { readonly code: string; readonly title: string; readonly problem?: string } {
  const object = asObject(input);
  const given = object?.code ?? (typeof input === 'string' ? input : undefined);
  const title = typeof object?.title === 'string' ? cut(oneLine(object.title), MAX_TITLE) : '';
  if (typeof given !== 'string' || given.trim() === '')
    return { code: '', title, problem: `${RUN_CODE} needs "code": JavaScript, such as {"code": "return await tools.name({ … })"}.` };
  const code = withoutFence(given);
  if (code.length > MAX_CODE)
    return {
      code,
      title,
      problem: `The script has ${code.length.toLocaleString('en')} characters, more than ${MAX_CODE.toLocaleString('en')}. Split the work.`,
    };
  return { code, title };
}

/** The code without the fence that some models put round it. */
function withoutFence(code: string): string {
  const text = code.trim();
  const start = text.indexOf('\n');
  return text.startsWith('```') && text.endsWith('```') && start > 0 ? text.slice(start + 1, -3) : code;
}

interface Answer {
  readonly outcome: CallOutcome;
  /** For the model. */
  readonly text: string;
  /** Why it failed, in one sentence. */
  readonly note?: string;
  readonly line?: number;
}

/** Logged lines, then the value or why there is none, then what else is to be said. */
function answerOf(run: ScriptRun, code: string, deps: RunCodeDeps): Answer {
  const { end } = run;
  const lines = [...end.logs];
  const notes: string[] = [];
  const failure = end.kind === 'returned' ? undefined : failureOf(end, code, deps);
  if (end.kind === 'returned') {
    if (end.value.type !== 'nothing') lines.push(end.value.text);
    else if (lines.length === 0 && run.shown.length === 0) notes.push('The script returned nothing. End it with return.');
  } else if (failure) {
    lines.push(failure.text);
    if (run.changed.size > 0)
      notes.push(`Had run before: ${[...run.changed].map(([name, times]) => (times > 1 ? `${name} ×${times}` : name)).join(', ')}.`);
  }
  if (end.unawaited.length > 0) notes.push(`Not awaited, and failed: ${end.unawaited.map((it) => cut(it, 300)).join(' · ')}`);
  return {
    outcome: failure?.outcome ?? 'ok',
    text: [...lines, ...notes].join('\n'),
    ...(failure ? { note: failure.note, ...(failure.line === undefined ? {} : { line: failure.line }) } : {}),
  };
}

/** Why a script failed, in words that say what to do. */
function failureOf(
  end: Exclude<SandboxEnd, { kind: 'returned' }>,
  code: string,
  { scriptSeconds, script }: RunCodeDeps,
): Answer & { readonly note: string } {
  const of = (note: string): Answer & { readonly note: string } => ({ outcome: 'failed', text: note, note });
  if (end.kind === 'threw') {
    const { place } = end;
    const line = place && code.split('\n')[place.line - 1];
    const what = `${end.name && end.name !== 'ToolError' ? `${end.name}: ` : ''}${end.tool === undefined ? '' : `${end.tool}: `}${end.message}`;
    const words = `${place ? `line ${place.line}, column ${place.column}: ` : ''}${sentence(what)}${hintFor(end, line ?? '')}`;
    return {
      ...of(cut(oneLine(words), 500)),
      text: line === undefined || line.trim() === '' ? words : `${words}\n> ${cut(line.trim(), MAX_LINE)}`,
      ...(place ? { line: place.line } : {}),
    };
  }
  switch (end.reason) {
    case 'time':
      return of(`Stopped: the script computed for more than ${scriptSeconds} seconds (toolsearch.limits.scriptSeconds).`);
    case 'calls':
      return of(`Stopped: more than ${script.limits.calls} calls (toolsearch.limits.callsPerScript). Filter first, or split the work.`);
    case 'memory':
      return of('Out of memory: a script has 64 MiB. Work through results one by one.');
    case 'stuck':
      return of('Stopped: it waits for something that never comes. Await a call, or return.');
    case 'cancelled':
      return { ...of('The user cancelled the script.'), outcome: 'cancelled' };
    case 'lost':
      return of(`The script's thread was lost: ${sentence(end.why ?? 'it ended by itself')} Call the tools directly.`);
  }
}

function hintFor({ name, message }: { readonly name: string; readonly message: string }, line: string): string {
  if (name === 'ReferenceError' && /is not defined$/.test(message))
    return ' A script has only tools, search, describe, results, show, console and sleep.';
  if (name === 'ReferenceError' && /could not load module/.test(message)) return ' There is no import in a script.';
  if (name !== 'SyntaxError') return '';
  if (/^\s*(?:import|export)\b/.test(line)) return ' There is no import or export in a script.';
  return TYPED.test(line.slice(0, MAX_LINE)) ? ' Write JavaScript without types.' : '';
}

/** What looks like TypeScript. */
const TYPED = /\b(?:const|let|var)\s+\w+\s*:|\)\s*:\s*\w|[(,]\s*\w+\??\s*:\s*\w|\binterface\b|\btype\s+\w+\s*=|\bas\s+\w|<\w+(?:\[\])?>/;

function sentence(text: string): string {
  return /[.!?)\]}]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

const NOT_RUN: ScriptRun = {
  end: { kind: 'stopped', reason: 'lost', logs: [], unawaited: [], computeMs: 0 },
  calls: 0,
  failed: 0,
  servers: [],
  returnedChars: 0,
  countedChars: 0,
  changed: new Map(),
  shown: [],
};
