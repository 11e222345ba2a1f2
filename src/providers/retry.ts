import { ModelError, type ModelEvent } from '../core/ports';
import { l10n } from '../core/util/l10n';
import { untilAborted } from '../core/util/signals';
import { pause } from '../core/util/timers';
import { causeOf, failureOf, QUOTA } from './failures';

/** The maximum number of corrections of one request. */
const CORRECTIONS = 20;
/** The maximum number of retries of an unchanged request after a temporary failure. */
const RETRIES = 2;
/**
 * The wait before the first retry, in milliseconds. It doubles with each retry. A time that the service names is used
 * instead.
 */
const FIRST_WAIT_MS = 500;
/** The maximum wait before an automatic retry, in milliseconds. If the service asks for more, the user decides. */
const LONGEST_WAIT_MS = 60_000;

/** Builds and sends a request, and learns from refusals. */
export interface RetryOptions<Body, Answer> {
  /** The name of the service's models in messages to the user. */
  readonly models: string;
  /** Builds the request, without the parts that were refused so far. */
  build(): Body;
  /**
   * @param signal for this request alone: the SDKs may not remove their listeners, and a turn's signal lasts for many
   * requests
   */
  send(body: Body, signal: AbortSignal): Promise<Answer>;
  /**
   * Learns from a refusal how to change the next request.
   * @returns a sentence for the user, or '' if none is needed; undefined if the request can't be corrected
   */
  learn(error: unknown, body: Body): string | undefined;
}

/**
 * Sends a request until there is an answer. Refused parts are left out, and the request is repeated if the service is
 * busy. Nothing is sent after the signal has aborted. Warnings about left-out parts come with the answer or before the
 * final failure.
 */
export async function* withRetries<Body, Answer>(
  asking: RetryOptions<Body, Answer>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Answer> {
  const learned: string[] = [];
  try {
    const answer = yield* askAgain(asking, learned, signal);
    yield* warnings(learned);
    return answer;
  } catch (error) {
    // If the turn is planned again, the new requests report their own warnings.
    if (!signal.aborted && !(error instanceof ModelError && error.replan)) yield* warnings(learned);
    throw error;
  }
}

/** @param learned gets the sentences for the user on what was corrected */
async function* askAgain<Body, Answer>(
  asking: RetryOptions<Body, Answer>,
  learned: string[],
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Answer> {
  let retries = 0;
  for (let corrections = 0; ; ) {
    signal.throwIfAborted();
    const body = asking.build();
    try {
      return await untilAborted(asking.send(body, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      const words = corrections < CORRECTIONS ? asking.learn(error, body) : undefined;
      if (words !== undefined) {
        corrections++;
        if (words !== '') learned.push(words);
        continue;
      }
      const wait = retries < RETRIES ? waitBeforeRetry(error, retries++, asking.models) : undefined;
      if (!wait) throw error;
      if (wait.ms >= 1_000 && wait.asked)
        yield { type: 'waiting', models: asking.models, seconds: Math.ceil(wait.ms / 1_000) };
      await pause(wait.ms, signal);
    }
  }
}

function* warnings(messages: readonly string[]): Generator<ModelEvent> {
  for (const message of messages) yield { type: 'warning', message };
}

/**
 * Returns the wait before a retry of the same request, and whether the service named it; undefined if a retry is
 * useless.
 */
function waitBeforeRetry(
  error: unknown,
  retries: number,
  models: string,
): { readonly ms: number; readonly asked: boolean } | undefined {
  const failure = failureOf(error);
  // No retry for our own errors, bugs or requests that timed out.
  if (!failure || causeOf(error) || failure.connection === 'timedOut') return undefined;
  const { status, headers, waitMs: asked } = failure;
  const shouldRetry = headers?.get('x-should-retry');
  const passes = status === undefined || status === 408 || status === 409 || status === 429 || status >= 500;
  if (shouldRetry === 'false' || (!passes && shouldRetry !== 'true') || failure.code === QUOTA) return undefined;
  if (asked === undefined) return { ms: FIRST_WAIT_MS * 2 ** retries, asked: false };
  if (asked > LONGEST_WAIT_MS)
    throw new ModelError(l10n.t('{0} asks to wait {1}. Ask again after {2}.', models, duration(asked), clock(asked)), {
      refusal: 'limit',
      unanswered: true,
    });
  return { ms: asked, asked: true };
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const minutes = Math.ceil(seconds / 60);
  return seconds <= 90
    ? l10n.t('{0} s', seconds)
    : minutes <= 90
      ? l10n.t('{0} minutes', minutes)
      : l10n.t('{0} hours', Math.ceil(minutes / 60));
}

/** Returns the local time at which a wait ends, to the minute. */
function clock(ms: number): string {
  const now = new Date();
  const end = new Date(Math.ceil((now.getTime() + ms) / 60_000) * 60_000);
  const time = end.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return end.toDateString() === now.toDateString()
    ? time
    : `${time} on ${end.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}`;
}
