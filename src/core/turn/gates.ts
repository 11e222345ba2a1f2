// Everything between a tool's call and its server, in order. A gate lets a call go on, or answers it for the model.

import { RUN_CODE } from '../catalog/modelNames';
import { permissionOf, providerPermission } from '../code/callPermission';
import { howToRead } from '../code/keptResults';
import { scriptName } from '../code/scriptName';
import { type Call, type Gate, type ToolRun, type ToolRunner, toolMessage } from '../ports';
import type { Settings } from '../settings/settings';
import { cut } from '../util/cut';
import { asObject, isTooDeep, jsonText, MAX_LEVELS } from '../util/objects';
import { misfitWords, type Note, notesOn } from './argumentTexts';
import type { CallContext } from './callContext';
import type { CallLimits } from './callLimits';
import { fitArguments } from './fitArguments';
import { CODE_CALL_MS } from './providerCode';
import type { Clock } from './turnServices';

/** The names of all gates, in the order in which a call passes them. */
export const GATES = [
  /** One of the tools that the user named comes first. */
  'choice',
  /** The turn's number of calls, the failures of this call, and those that were made before it. */
  'limits',
  /** The user hid the tool, or hasn't accepted its change. */
  'hidden',
  /** Who may call the tool (`toolsearch.allowedCallers`). */
  'permission',
  /** The arguments are an object that fits the schema. */
  'arguments',
  /** The provider's code waits only so long, the user's answer included. */
  'deadline',
  /** The user agrees. */
  'consent',
  /** Calls that change something wait for each other. */
  'order',
  /** The call's own time. */
  'time',
  /** It is still the tool that the user agreed to. The runner asks when the server has started and listed its tools. */
  'stillTheSameTool',
] as const;

export type Gates = { readonly [name in (typeof GATES)[number]]: Gate };

/** What the gates depend on. */
type GateContext = Pick<CallContext, 'choice' | 'code' | 'offersProviderCode'> & {
  readonly offer: Pick<CallContext['offer'], 'prefix'>;
  readonly round?: Pick<CallContext['round'], 'eager' | 'deferred'>;
  readonly turn: {
    readonly settings: Pick<Settings, 'allowedCallers'>;
    readonly runner: ToolRunner;
    readonly limits: CallLimits;
    readonly services: { readonly clock: Pick<Clock, 'timer' | 'now'> };
  };
};

/** Passes a call through all gates, and runs it behind the last. */
export function passGates(call: Call, gates: Gates, run: (call: Call) => Promise<ToolRun>): Promise<ToolRun> {
  const first = GATES.reduceRight<typeof run>((goOn, name) => (passed) => gates[name](passed, goOn), run);
  return first(call);
}

/** Passes a call through all gates as {@link passGates} does. Also returns the notes on the answer for the model. */
export async function passAndNote(
  call: Call,
  gates: Gates,
  { turn, round, code, offer }: Pick<CallContext, 'turn' | 'round' | 'code' | 'offer'>,
  run: (call: Call) => Promise<ToolRun>,
): Promise<{ readonly run: ToolRun; readonly notes: readonly Note[] }> {
  const hadFailed = turn.limits.hasFailed(call);
  let { input } = call;
  const ran = await passGates(call, gates, (passed) => {
    input = passed.input;
    return run(passed);
  });
  const given = ran.answered ? code?.kept.list().find(({ id }) => Object.values(input).includes(id)) : undefined;
  const keptWords = given && howToRead(given.id, code?.kept, offer.prefix);
  const notes = notesOn(ran, { tool: call.tool, input, hadFailed, keptWords }, [...round.eager, ...round.deferred]);
  return { run: ran, notes };
}

export function gatesOf(context: GateContext): Gates {
  const { runner, limits, services } = context.turn;
  return {
    choice: unless((call) => outsideChoice(call.tool.modelName, context)),
    limits: (call, goOn) => limits.run(call, goOn),
    hidden: unless(({ tool }) => runner.refusalOf(tool)),
    permission: unless((call) => notPermitted(call, context)),
    arguments: (call, goOn) => withArguments(call, goOn, context),
    deadline: (call, goOn) => (call.by === 'providerCode' ? withinDeadline(call, goOn, services.clock) : goOn(call)),
    consent: runner.consent,
    order: (call, goOn) => limits.inOrder(call.tool, () => goOn(call)),
    time: runner.time,
    stillTheSameTool: (call, goOn) =>
      goOn({ ...call, refusal: () => runner.refusalOf(call.tool) ?? runner.changedSince(call) }),
  };
}

/** The state of a call that has passed no gate. */
export const BEFORE_GATES: Pick<Call, 'input' | 'refusal'> = {
  input: {},
  refusal: () => toolMessage('refused', 'The call was not checked, so it was not run.'),
};

/** Runs a call that the user makes outside of a turn. Nothing is recorded. */
export function runForUser(
  runner: ToolRunner,
  { tool, asked, signal }: Pick<Call, 'tool' | 'asked' | 'signal'>,
  turn: Pick<GateContext['turn'], 'settings' | 'limits' | 'services'>,
): Promise<ToolRun> {
  const since = turn.services.clock.now();
  return passGates(
    {
      ...{ ...BEFORE_GATES, tool, asked, signal, by: 'user', since },
      ...{ round: 1, callId: '', retry: 0, withoutDiscovery: false },
    },
    gatesOf({ offer: {}, turn: { ...turn, runner } }),
    (call) => runner.invoke(call),
  );
}

/** A gate that only judges. */
function unless(refusalOf: (call: Call) => ToolRun | undefined): Gate {
  return async (call, goOn) => refusalOf(call) ?? goOn(call);
}

/**
 * Refuses a call of another tool if the user named several tools and none of them has been called yet: only GPT's
 * service can restrict the model to these. The others stay in the request, so that its beginning stays the same.
 */
export function outsideChoice(name: string, { choice = [] }: Pick<CallContext, 'choice'>): ToolRun | undefined {
  if (choice.length < 2 || choice.includes(name)) return undefined;
  const names = choice.join(' and ');
  return toolMessage(
    'refused',
    `Not run: the user named ${names} for this question. Call one of them first, then any other.`,
  );
}

/** Returns a refusal if `toolsearch.allowedCallers` doesn't let this caller call the tool; otherwise undefined. */
function notPermitted({ tool, by }: Call, { turn, offer, code, offersProviderCode }: GateContext): ToolRun | undefined {
  const refused = (how: string) => toolMessage('refused', `${tool.modelName} can only be called ${how}`);
  const permission = permissionOf(turn.settings)(tool);
  if (by === 'providerCode' ? !providerPermission(turn.settings)(tool) : by === 'script' && permission === 'direct')
    return refused('directly (toolsearch.allowedCallers).');
  if (by !== 'model' || permission !== 'code') return undefined;
  // Claude and GPT treat the list of permitted callers as advice, so a direct call can still come.
  if (!code && offersProviderCode)
    return refused('from the code that you run (toolsearch.allowedCallers). Call it from there.');
  if (!code) return undefined;
  const how = `Use ${offer.prefix ?? ''}${RUN_CODE}: await tools.${scriptName(tool.modelName)}({ … }).`;
  return refused(`from a script (toolsearch.allowedCallers). ${how}`);
}

/** The answer to an input that code can't walk. */
export const NESTED = `The input nests too deeply: it has more than ${MAX_LEVELS} levels. Call again with a simpler one.`;

/** Reads and checks the arguments. */
async function withArguments(
  call: Call,
  goOn: (call: Call) => Promise<ToolRun>,
  { turn: { runner }, round }: GateContext,
): Promise<ToolRun> {
  const { tool, asked } = call;
  const tools = round ? [...round.eager, ...round.deferred] : [];
  const input = asObject(asked ?? {});
  const misfit = (given: Call['input'], mistakes: readonly string[]) =>
    toolMessage('invalid', misfitWords(tool, given, mistakes, tools));
  if (!input) return misfit({}, [`They must be a JSON object, not ${cut(jsonText(asked) || 'nothing', 80)}.`]);
  // The arguments may come as a text of JSON, which a check of the whole input doesn't see.
  if (isTooDeep(input)) return toolMessage('invalid', NESTED);
  const fitted = fitArguments(input, tool.inputSchema);
  const mistakes = await runner.checkArguments(tool, fitted);
  if (mistakes.length === 0) return goOn({ ...call, input: fitted });
  return misfit(fitted, mistakes);
}

/** Answers a call of the provider's code before that code's time limit. */
async function withinDeadline(
  call: Call,
  goOn: (call: Call) => Promise<ToolRun>,
  { timer }: Pick<Clock, 'timer'>,
): Promise<ToolRun> {
  const late = new AbortController();
  const stopTimer = timer(() => late.abort(), CODE_CALL_MS);
  try {
    const run = await goOn({ ...call, signal: AbortSignal.any([call.signal, late.signal]) });
    if (!late.signal.aborted) return run;
    const minutes = CODE_CALL_MS / 60_000;
    return toolMessage(
      'cancelled',
      `${call.tool.modelName} did not end within ${minutes} minutes, the user's yes included. It may have run.`,
    );
  } finally {
    stopTimer();
  }
}
