import { ModelError, type Refusal } from '../core/ports';
import type { Service } from '../core/settings/modelServices';
import { cut } from '../core/util/cut';
import { l10n } from '../core/util/l10n';
import { messageOf } from '../core/util/messageOf';
import { isObject } from '../core/util/objects';
import type { ModelAccess } from './modelAccess';

// Reads the errors of the services' SDKs and turns them into messages for the user.

/**
 * The relevant properties of an SDK's error. They are read without the SDK's classes, so that the SDK need not be
 * loaded.
 */
export interface Failure {
  /** The HTTP status; undefined if there was no answer, or if the service failed while it answered. */
  readonly status?: number;
  /** The service's code or kind of error. */
  readonly code: string;
  /** The path of the part that OpenAI's service complains about, such as `tools[2].tools[0].parameters`. */
  readonly param: string;
  /** The message on one line. */
  readonly message: string;
  /** Whether the message is the service's own. An HTML page, for example, isn't. */
  readonly isOwn: boolean;
  readonly headers?: Headers;
  /** The time after which the service wants to be asked again, in milliseconds. */
  readonly waitMs?: number;
  /** Whether no connection was made, or no answer came in time. The service may still have been working on it. */
  readonly connection?: 'failed' | 'timedOut';
}

/** The facts that an error message needs. */
export type ErrorContext = Pick<ModelAccess, 'name' | 'model' | 'baseUrl' | 'apiKey'>;

/** The maximum number of characters of the service's own message that are shown. */
const MESSAGE_CHARS = 300;
/** The codes for an account without credit, and for too many requests. */
export const QUOTA = 'insufficient_quota';
const RATE = 'rate_limit_exceeded';
/** Matches text that looks like an API key, also a partly hidden one. Services may repeat the key in a message. */
const KEY_LIKE = /\bsk-[\w*.-]{6,}/g;
/** The services' codes for an account without credit. A retry is useless. */
const UNPAID: ReadonlySet<unknown> = new Set([
  'insufficient_quota',
  'billing_not_active',
  'billing_hard_limit_reached',
  'billing_error',
]);
/** The maximum plausible wait, in milliseconds: a year. A longer time is ignored as a mistake of the service. */
const LONGEST_TIME_MS = 366 * 24 * 3_600_000;
/** The reasons of refusals by status, for callers that react to them. */
const REFUSALS: { readonly [status: number]: Refusal } = { 401: 'key', 404: 'model', 429: 'limit' };

/** Reads an error of an SDK; undefined for any other error. The SDKs' errors have the property `status`. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error && 'status' in error)) return undefined;
  const { status, code, type, param, headers, error: sent } = error as unknown as { readonly [key: string]: unknown };
  const body = isObject(sent) ? sent : {};
  // Gateways may use other fields for the message.
  const inner = isObject(body.error) ? body.error : body;
  const own = inner.message ?? inner.detail ?? body.message;
  const isOwn = typeof own === 'string' && own !== '';
  return {
    ...(typeof status === 'number' ? { status } : {}),
    code:
      UNPAID.has(code) || UNPAID.has(type)
        ? QUOTA
        : (([code, type].find((each) => typeof each === 'string') as string) ?? ''),
    param: typeof param === 'string' ? param : '',
    message: plain(isOwn ? own : rootOf(error).message),
    isOwn,
    ...(headers instanceof Headers ? { headers, waitMs: retryAfterMs(headers) } : {}),
    // A failure without a status and a body is one of the connection. OpenAI's SDK gives its errors no names.
    ...(status === undefined && sent === undefined
      ? { connection: error.message === 'Request timed out.' ? 'timedOut' : 'failed' }
      : {}),
  };
}

/** Returns a message on one line, without keys. */
function plain(message: string): string {
  if (/<html|<!doctype/i.test(message)) return l10n.t('a web page');
  return cut(message.replace(KEY_LIKE, '[key]').replace(/\s+/g, ' ').trim(), MESSAGE_CHARS);
}

/** Returns the innermost cause, since the SDKs' own messages don't explain a failed connection. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

/** Returns the error of ours that the SDK wrapped in its own; undefined if the cause is another one. */
export function causeOf(error: unknown): ModelError | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) if (inner instanceof ModelError) return inner;
  return undefined;
}

/**
 * Returns the wait that a service asks for, in milliseconds; undefined if it names none.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
function retryAfterMs(headers: Headers): number | undefined {
  const given = headers.get('retry-after')?.trim() ?? '';
  const times = [numberOf(headers.get('retry-after-ms')), numberOf(given) * 1_000, Date.parse(given) - Date.now()];
  return times.find((ms) => ms >= 0 && ms <= LONGEST_TIME_MS);
}

function numberOf(header: string | null): number {
  return header?.trim() ? Number(header) : Number.NaN;
}

/** Returns an error that tells the user what the problem is and what to do. */
export function explainError(error: unknown, asked: ErrorContext, service: Service): ModelError {
  const own = causeOf(error);
  if (own) return own;
  const failure = failureOf(error);
  const words = failure
    ? wordsFor(failure, asked, service)
    : l10n.t('{0} failed: {1}', asked.name, plain(messageOf(error)));
  const { status, connection, code } = failure ?? {};
  const refusal = code === QUOTA || code === RATE ? 'limit' : REFUSALS[status ?? 0];
  // A gateway may need no key, so the key may be empty.
  return new ModelError(asked.apiKey === '' ? words : words.replaceAll(asked.apiKey, '[key]'), {
    ...(refusal ? { refusal } : {}),
    unanswered: status !== undefined || connection === 'failed',
  });
}

function wordsFor(failure: Failure, { name, baseUrl }: ErrorContext, service: Service): string {
  const { status, code, message, isOwn, waitMs, connection } = failure;
  const { host } = new URL(baseUrl);
  if (connection === 'timedOut') return l10n.t('{0} did not answer in time. Ask again.', name);
  if (connection === 'failed')
    return l10n.t(
      "{0} can't be reached ({1}). Check the connection, your proxy, and {2}.",
      host,
      message,
      service.setting,
    );
  if (code === QUOTA)
    return l10n.t(
      'The quota of the {0} account is used up. Look at its plan and billing, or set another key with “Tool Search: Manage API Keys”.',
      service.name,
    );
  if (code === 'context_length_exceeded' || TOO_LONG.test(message))
    return l10n.t(
      'This conversation is too long for {0} ({1}). Start a new chat, or choose a model with a larger window.',
      name,
      message,
    );
  if (status === 529 || code === 'overloaded_error')
    return l10n.t('{0} is overloaded just now. Ask again in a moment.', name);
  if (status === 429 || code === RATE)
    return waitMs
      ? l10n.t(
          "{0}'s rate limit is reached: {1}. Ask again in {2} seconds.",
          service.name,
          message,
          Math.ceil(waitMs / 1_000),
        )
      : l10n.t("{0}'s rate limit is reached: {1}. Ask again in a minute.", service.name, message);
  if (status === undefined) return l10n.t('{0} failed while it answered: {1} Ask again.', name, message);
  if (status >= 500)
    return l10n.t("{0}'s service failed ({1}): {2}. Ask again in a moment.", service.name, status, message);
  if (!isOwn)
    return l10n.t(
      "{0} answered {1}. This doesn't look like {2}'s service. Check {3}.",
      host,
      status,
      service.name,
      service.setting,
    );
  switch (status) {
    case 401:
      return l10n.t(
        '{0} refused the API key: {1}. Set another with “Tool Search: Manage API Keys”.',
        service.name,
        message,
      );
    case 402:
    case 403:
      return l10n.t("{0} doesn't allow this with your API key: {1}", service.name, message);
    case 404:
      return l10n.t(
        "{0} isn't available at {1}: {2}. Choose another model, or check {3}.",
        name,
        host,
        message,
        service.setting,
      );
    case 413:
      return l10n.t('The request is too large for {0}. Start a new chat, or defer more tools.', name);
  }
  return l10n.t('{0} refused the request (HTTP {1}): {2}', name, status, message);
}

const TOO_LONG = /prompt is too long|exceeds? (the )?(model's )?(maximum )?context|input length and `max_tokens`/i;

/** Returns the error for an answer that can't come from the service, such as a gateway's login page. */
export function notTheService(baseUrl: string, { name, setting }: Service): ModelError {
  return new ModelError(
    l10n.t("{0} answered, but not as {1}'s service does. Check {2}.", new URL(baseUrl).host, name, setting),
    { unanswered: true },
  );
}

/** Returns the error for a reply that ended early because the connection was lost. */
export function brokenOff(name: string): ModelError {
  return new ModelError(l10n.t('The connection to {0} ended before the answer was complete. Ask again.', name));
}
