// Runs a model's tool calls safely: checks arguments, asks for consent, limits the time and the size of results, and
// hides secrets.

import type { Tool } from '../core/catalog/tool';
import {
  CANCELLED_BEFORE,
  CANCELLED_MEANWHILE,
  type PendingCall,
  type ToolRun,
  type ToolRunner,
  toolMessage,
} from '../core/ports';
import { compileIdTable } from '../core/settings/glob';
import type { Settings } from '../core/settings/settings';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { messageOf } from '../core/util/messageOf';
import { systemTimer } from '../core/util/signals';

/**
 * The minimum time limit of a call, in milliseconds, if VS Code may be asking the user. VS Code doesn't report when the
 * user has answered, so that time can't be subtracted. A call must not be aborted while the user decides.
 */
const CONFIRMATION_MS = 10 * 60_000;

export interface InvokeOptions {
  readonly settings: Pick<Settings, 'toolTimeoutSeconds' | 'toolTimeouts'>;
  /** Returns a message to the model if the arguments don't fit the schema, otherwise undefined. Never rejects. */
  readonly checkArguments: (
    tool: Tool,
    input: { readonly [name: string]: unknown },
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /**
   * Returns why this tool must not be called now; undefined if it may be. The caller may have an old list of tools. A
   * refused call asks the user nothing.
   */
  readonly refusalOf?: (tool: Tool) => ToolRun | undefined;
  /** Whether VS Code may ask the user before this tool runs. */
  readonly mayAsk: (tool: Tool) => boolean;
  /**
   * Returns the time limit from the server's definition, in seconds. It overrides `toolTimeoutSeconds`, but not
   * `toolTimeouts`.
   */
  readonly limitSecondsOf?: (tool: Tool) => number | undefined;
  /** Asks the user, unless VS Code itself asks, and then runs the call. The time limit begins when the call runs. */
  readonly consent?: (call: PendingCall, run: () => Promise<ToolRun>) => Promise<ToolRun>;
  /** Removes secrets from results and errors. */
  readonly secrets: Pick<KnownSecrets, 'redact' | 'redactIn'>;
  /** Whether the tool's server is asking the user something. A call isn't aborted meanwhile. */
  readonly isAsking?: (tool: Tool) => boolean;
  /**
   * Called once for a call that runs longer than `toolTimeoutSeconds` and isn't aborted, because the user may be
   * deciding.
   */
  readonly onSlow: (tool: Tool, seconds: number) => void;
}

/**
 * Creates a runner for a model's calls: it checks arguments, limits the time of a call and the size of a result. Never
 * rejects: each failure becomes a message to the model.
 */
export function createCallRunner(base: ToolRunner, options: InvokeOptions): ToolRunner {
  return withChecks(withConsent(withTimeout(base, options), options.consent), options);
}

function withChecks(runner: ToolRunner, { checkArguments: check, refusalOf }: InvokeOptions): ToolRunner {
  return {
    async run(tool, input, signal, inOrder) {
      const refusal = refusalOf?.(tool);
      if (refusal) return refusal;
      const problem = await check(tool, input, signal);
      return problem ? toolMessage('invalid', problem) : runner.run(tool, input, signal, inOrder);
    },
  };
}

function withConsent(runner: ToolRunner, consent: InvokeOptions['consent']): ToolRunner {
  const ask = consent ?? ((_: PendingCall, run: () => Promise<ToolRun>) => run());
  return {
    run: (tool, input, signal, inOrder = (start) => start()) =>
      ask({ tool, input, signal }, () => inOrder(() => runner.run(tool, input, signal))),
  };
}

function withTimeout(
  base: ToolRunner,
  { settings, limitSecondsOf, mayAsk, isAsking, onSlow, secrets }: InvokeOptions,
): ToolRunner {
  const secondsFor = compileIdTable(settings.toolTimeouts);
  const limitOf = (tool: Tool) => secondsFor(tool.id) ?? limitSecondsOf?.(tool) ?? settings.toolTimeoutSeconds;
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
          finish(toolMessage('failed', `${tool.modelName} failed: ${secrets.redact(messageOf(error))}`)),
        );
      });
    },
  };
}

/** Removes secrets before results are cut, because a part of a secret can't be recognized. */
function withoutSecrets(run: ToolRun, { redact, redactIn }: InvokeOptions['secrets']): ToolRun {
  const parts = run.parts.map((part) => (part.type === 'text' ? { ...part, text: redact(part.text) } : part));
  return {
    ...run,
    parts,
    ...(run.structured === undefined ? {} : { structured: redactIn(run.structured) }),
    ...(run.meta ? { meta: redactIn(run.meta) } : {}),
  };
}
