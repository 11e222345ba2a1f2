import type { Tool } from '../core/catalog/tool';
import {
  CANCELLED_BEFORE,
  CANCELLED_MEANWHILE,
  type CallNotes,
  type ToolRun,
  type ToolRunner,
  toolMessage,
} from '../core/ports';
import { compileIdGlob } from '../core/settings/glob';
import type { Settings } from '../core/settings/settings';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { systemTimer } from '../core/util/signals';
import type { CheckArguments } from './arguments/validateArguments';

/**
 * How long a call may take at the least where VS Code may be asking the user about it, in milliseconds. VS Code doesn't
 * tell when the question is answered, so the clock can't leave the user's time out; a call isn't given up under their hands.
 */
const CONFIRMATION_MS = 10 * 60_000;

export interface InvokeOptions {
  readonly settings: Pick<Settings, 'toolTimeoutSeconds' | 'toolTimeouts'>;
  readonly checkArguments: CheckArguments;
  /** Why this tool must not be called now, whoever still knows it: then the user isn't even asked. */
  readonly refusalOf?: (tool: Tool) => ToolRun | undefined;
  /** Whether the user may be asked before this tool runs. */
  readonly mayAsk: (tool: Tool) => boolean;
  /** What a tool's server says of its time, in seconds: instead of `toolTimeoutSeconds`, but not of `toolTimeouts`. */
  readonly limitSecondsOf?: (tool: Tool) => number | undefined;
  /** Where VS Code doesn't ask by itself: runs the call once the user consents. The clock begins with `run`. */
  readonly consent?: (call: ConsentCall, run: () => Promise<ToolRun>) => Promise<ToolRun>;
  /** Takes secrets out of what a tool, or its failure, tells the model. */
  readonly secrets: Pick<KnownSecrets, 'redact' | 'redactIn'>;
  /** Whether the tool's server is asking the user something: a call isn't given up under their hands. */
  readonly isAsking?: (tool: Tool) => boolean;
  /** Hears once of a call that takes longer than `toolTimeoutSeconds` and goes on, since the user may be being asked. */
  readonly onSlow: (tool: Tool, seconds: number) => void;
}

/** A call that the user may be asked about. */
export interface ConsentCall {
  readonly tool: Tool;
  readonly input: { readonly [name: string]: unknown };
  readonly signal: AbortSignal;
  readonly notes?: CallNotes;
}

/**
 * Makes a runner that is safe to hand a model's calls to: arguments are checked first, a call ends in time, and a result has
 * bounds. All that goes wrong is a result in words for the model.
 */
export function createCallRunner(base: ToolRunner, options: InvokeOptions): ToolRunner {
  return withChecks(withConsent(withTimeout(base, options), options.consent), options);
}

function withChecks(runner: ToolRunner, { checkArguments: check, refusalOf }: InvokeOptions): ToolRunner {
  return {
    async run(tool, input, signal, inOrder) {
      const refusal = refusalOf?.(tool);
      if (refusal) return refusal;
      const problem = await check(tool, input);
      return problem ? toolMessage('failed', problem) : runner.run(tool, input, signal, inOrder);
    },
  };
}

function withConsent(runner: ToolRunner, consent: InvokeOptions['consent']): ToolRunner {
  const ask = consent ?? ((_: ConsentCall, run: () => Promise<ToolRun>) => run());
  return {
    run: (tool, input, signal, inOrder = (start) => start()) =>
      ask({ tool, input, signal }, () => inOrder(() => runner.run(tool, input, signal))),
  };
}

function withTimeout(
  base: ToolRunner,
  { settings, limitSecondsOf, mayAsk, isAsking, onSlow, secrets }: InvokeOptions,
): ToolRunner {
  const own = Object.entries(settings.toolTimeouts).map(([glob, seconds]) => ({
    matches: compileIdGlob(glob),
    seconds,
  }));
  const limitOf = (tool: Tool) =>
    own.find(({ matches }) => matches(tool.id))?.seconds ?? limitSecondsOf?.(tool) ?? settings.toolTimeoutSeconds;
  return {
    run(tool, input, signal) {
      if (signal.aborted) return Promise.resolve(CANCELLED_BEFORE);
      const limitMs = limitOf(tool) * 1000;
      const endMs = mayAsk(tool) ? Math.max(limitMs, CONFIRMATION_MS) : limitMs;
      return new Promise<ToolRun>((resolve) => {
        const inner = new AbortController();
        const finish = (run: ToolRun) => {
          stopSlow?.();
          stopEnd();
          signal.removeEventListener('abort', cancel);
          resolve(run);
        };
        const cancel = () => {
          inner.abort();
          finish(CANCELLED_MEANWHILE);
        };
        const stopSlow = endMs > limitMs ? systemTimer(() => onSlow(tool, limitMs / 1000), limitMs) : undefined;
        const end = () => {
          if (isAsking?.(tool)) {
            stopEnd = systemTimer(end, endMs);
            return;
          }
          inner.abort();
          const seconds = Math.round(endMs / 1000);
          finish(
            toolMessage(
              'failed',
              `${tool.modelName} did not answer within ${seconds} seconds and was given up. It may still have had an effect.`,
            ),
          );
        };
        let stopEnd = systemTimer(end, endMs);
        signal.addEventListener('abort', cancel);
        const run = base.run(tool, input, inner.signal).then((done) => withoutSecrets(done, secrets));
        run.then(finish, (error: unknown) =>
          finish(
            toolMessage(
              'failed',
              `${tool.modelName} failed: ${secrets.redact(error instanceof Error ? error.message : String(error))}`,
            ),
          ),
        );
      });
    },
  };
}

/** Before anything is cut: a part of a secret wouldn't be known. */
function withoutSecrets(run: ToolRun, { redact, redactIn }: InvokeOptions['secrets']): ToolRun {
  const parts = run.parts.map((part) => (part.type === 'text' ? { ...part, text: redact(part.text) } : part));
  return { ...run, parts, ...(run.structured === undefined ? {} : { structured: redactIn(run.structured) }) };
}
