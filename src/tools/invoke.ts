import { compileGlob } from '../core/glob';
import { createMatcher } from '../core/patterns';
import { type ToolRun, type ToolRunner, told } from '../core/ports';
import type { Settings } from '../core/settings';
import type { Tool } from '../core/tool';
import { cutResult } from './cutResult';
import { runInSequence } from './sequence';
import type { CheckArguments } from './validateArguments';

/**
 * How long a call may take at the least where VS Code may be asking the user about it, in milliseconds. VS Code doesn't
 * tell when the question is answered, so the clock can't leave the user's time out; a call isn't given up under their hands.
 */
export const CONFIRMATION_MS = 10 * 60_000;

export interface InvokeOptions {
  readonly settings: Pick<Settings, 'toolCallsPerTurn' | 'toolTimeoutSeconds' | 'toolTimeouts' | 'retriesPerTool' | 'sequentialTools'>;
  readonly checkArguments: CheckArguments;
  /** Whether the user may be asked before this tool runs. */
  readonly mayAsk: (tool: Tool) => boolean;
  /** What a tool's server says of its time, in seconds: instead of `toolTimeoutSeconds`, but not of `toolTimeouts`. */
  readonly limitSecondsOf?: (tool: Tool) => number | undefined;
  /** Where VS Code doesn't ask by itself: runs the call once the user consents. The clock begins with `run`. */
  readonly consent?: (call: ConsentCall, run: () => Promise<ToolRun>) => Promise<ToolRun>;
  /** Hears once of a call that takes longer than `toolTimeoutSeconds` and goes on, since the user may be being asked. */
  readonly onSlow: (tool: Tool, seconds: number) => void;
}

/** A call that the user may be asked about. */
export interface ConsentCall {
  readonly tool: Tool;
  readonly input: { readonly [name: string]: unknown };
  readonly signal: AbortSignal;
}

/**
 * Makes a runner that is safe to hand a model's calls to: arguments are checked first, a call ends in time, a result has
 * bounds, and the limits of a turn hold. One for each turn, since it counts. All that goes wrong is a result in words for
 * the model.
 */
export function createTurnRunner(base: ToolRunner, options: InvokeOptions): ToolRunner {
  const isSequential = createMatcher(options.settings.sequentialTools);
  const timed = withTimeout(base, options);
  const sequenced = runInSequence(withConsent(timed, options.consent), {
    alone: (tool) => isSequential(tool.id),
    lane: laneOf,
  });
  return withLimits(withCheckedArguments(sequenced, options.checkArguments), options.settings);
}

/** A server that says of a tool that it changes something gets such calls one after another. Silence isn't a word. */
function laneOf({ server, annotations }: Tool): string | undefined {
  return annotations?.readOnlyHint === false || annotations?.destructiveHint === true ? server : undefined;
}

function withCheckedArguments(runner: ToolRunner, check: CheckArguments): ToolRunner {
  return {
    async run(tool, input, signal) {
      const problem = await check(tool, input);
      return problem ? told('failed', problem) : runner.run(tool, input, signal);
    },
  };
}

/** Counts calls and failures: a model that repeats itself is told to stop rather than left to spin. */
function withLimits(runner: ToolRunner, limits: Pick<Settings, 'toolCallsPerTurn' | 'retriesPerTool'>): ToolRunner {
  let calls = 0;
  const failures = new Map<string, number>();
  return {
    async run(tool, input, signal) {
      if (calls >= limits.toolCallsPerTurn) {
        return told(
          'refused',
          `Not run: the limit of ${limits.toolCallsPerTurn} tool calls for one question is reached. Answer with what you have, and say what is missing.`,
        );
      }
      const failed = failures.get(tool.id) ?? 0;
      if (failed > limits.retriesPerTool) {
        return told(
          'refused',
          `Not run: ${tool.modelName} failed ${failed} times for this question. Don't call it again; use another tool or answer without it.`,
        );
      }
      calls++;
      const run = await runner.run(tool, input, signal);
      if (run.outcome === 'ok') failures.delete(tool.id);
      else failures.set(tool.id, (failures.get(tool.id) ?? 0) + 1);
      return run;
    },
  };
}

function withConsent(runner: ToolRunner, consent: InvokeOptions['consent']): ToolRunner {
  if (!consent) return runner;
  return { run: (tool, input, signal) => consent({ tool, input, signal }, () => runner.run(tool, input, signal)) };
}

function withTimeout(base: ToolRunner, { settings, limitSecondsOf, mayAsk, onSlow }: InvokeOptions): ToolRunner {
  const own = Object.entries(settings.toolTimeouts).map(([glob, seconds]) => ({ matches: compileGlob(glob), seconds }));
  const limitOf = (tool: Tool) =>
    own.find(({ matches }) => matches(tool.id))?.seconds ?? limitSecondsOf?.(tool) ?? settings.toolTimeoutSeconds;
  return {
    run(tool, input, signal) {
      if (signal.aborted) return Promise.resolve(CANCELLED);
      const limitMs = limitOf(tool) * 1000;
      const endMs = mayAsk(tool) ? Math.max(limitMs, CONFIRMATION_MS) : limitMs;
      return new Promise<ToolRun>((resolve) => {
        const inner = new AbortController();
        const finish = (run: ToolRun) => {
          clearTimeout(slowTimer);
          clearTimeout(endTimer);
          signal.removeEventListener('abort', cancel);
          resolve(run);
        };
        const cancel = () => {
          inner.abort();
          finish(CANCELLED);
        };
        const slowTimer = endMs > limitMs ? setTimeout(() => onSlow(tool, limitMs / 1000), limitMs) : undefined;
        const endTimer = setTimeout(() => {
          inner.abort();
          const seconds = Math.round(endMs / 1000);
          finish(
            told('failed', `${tool.modelName} did not answer within ${seconds} seconds and was given up. It may still have had an effect.`),
          );
        }, endMs);
        signal.addEventListener('abort', cancel);
        base.run(tool, input, inner.signal).then(
          (run) => finish({ ...run, parts: cutResult(run.parts) }),
          (error: unknown) => finish(told('failed', `${tool.modelName} failed: ${error instanceof Error ? error.message : String(error)}`)),
        );
      });
    },
  };
}

const CANCELLED: ToolRun = told('cancelled', 'The user cancelled the call.');
