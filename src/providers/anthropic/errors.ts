import type { APIError } from '@anthropic-ai/sdk';
import { ModelError } from '../../core/ports';
import { l10n } from '../../core/util/l10n';
import { messageOf } from '../../core/util/messageOf';
import { isObject } from '../../core/util/objects';
import type { ModelAccess } from '../access';
import { REFUSALS, rootOf } from '../failures';
import { causeOf, retryAfterMs } from '../retry';

// Turns failures of Anthropic's service into messages for the user.

/** The facts that an error message needs. */
type ErrorContext = Pick<ModelAccess, 'name' | 'baseUrl' | 'apiKey'>;

/** The maximum number of characters of the service's own message that are shown. */
const WORDS = 300;
/** Matches text that looks like an API key, also a partly hidden one. Services may repeat the key in a message. */
const KEY_LIKE = /\bsk-[\w*.-]{6,}/g;

/** Returns an error that tells the user what the problem is and what to do. */
export function explainError(error: unknown, context: ErrorContext): ModelError {
  const own = causeOf(error);
  if (own) return own;
  const refusal = REFUSALS[statusOf(error) ?? 0];
  return new ModelError(withoutKey(words(error, context), context.apiKey), {
    ...(refusal ? { refusal } : {}),
    unanswered: statusOf(error) !== undefined || isNamed(error, 'APIConnectionError'),
  });
}

function words(error: unknown, { name, baseUrl }: ErrorContext): string {
  if (isNamed(error, 'APIConnectionTimeoutError')) return l10n.t('{0} did not answer in time. Ask again.', name);
  if (isNamed(error, 'APIConnectionError'))
    return l10n.t(
      "{0} can't be reached ({1}). Check the connection, your proxy, and toolsearch.anthropic.baseUrl.",
      host(baseUrl),
      cut(messageOf(rootOf(error))),
    );
  if (!isApiError(error)) return l10n.t('{0} failed: {1}', name, cut(messageOf(error)));
  const own = apiWords(error);
  if (error.status !== undefined && own === undefined)
    return l10n.t(
      "{0} answered {1}. This doesn't look like Anthropic's service. Check toolsearch.anthropic.baseUrl.",
      host(baseUrl),
      error.status,
    );
  const said = own ?? l10n.t('no reason given');
  switch (error.status) {
    case 401:
      return l10n.t('Anthropic refused the API key: {0}. Set another with “Tool Search: Manage API Keys”.', said);
    case 402:
    case 403:
      return l10n.t("Anthropic doesn't allow this with your API key: {0}", said);
    case 404:
      return l10n.t("{0} isn't available at {1}: {2}. Choose another model.", name, host(baseUrl), said);
    case 413:
      return l10n.t('The request is too large for {0}. Start a new chat, or pin fewer tools eager.', name);
    case 429:
      return rateLimit(error, said);
    case 529:
      return l10n.t('{0} is overloaded just now. Ask again in a moment.', name);
  }
  if (error.type === 'overloaded_error') return l10n.t('{0} is overloaded just now. Ask again in a moment.', name);
  if (isTooLong(error))
    return l10n.t(
      'This conversation is too long for {0} ({1}). Start a new chat, or choose a model with a larger window.',
      name,
      said,
    );
  if (!error.status) return l10n.t('{0} refused the request: {1}', name, said);
  return error.status >= 500
    ? l10n.t("Anthropic's service failed ({0}): {1}. Ask again in a moment.", error.status, said)
    : l10n.t('{0} refused the request (HTTP {1}): {2}', name, error.status, said);
}

function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

/**
 * Whether an error has the service's message and status. The error is recognized by its form, since the SDK's classes
 * are in a separate file.
 */
function isApiError(error: unknown): error is APIError {
  return error instanceof Error && 'apiMessage' in error && 'status' in error;
}

/** Returns the HTTP status of the service's answer. */
export function statusOf(error: unknown): number | undefined {
  return isApiError(error) ? error.status : undefined;
}

/** Returns the error for an answer that can't come from a model of Anthropic's, such as a gateway's login page. */
export function notTheService(baseUrl: string): ModelError {
  return new ModelError(
    l10n.t("{0} answered, but not as Anthropic's service does. Check toolsearch.anthropic.baseUrl.", host(baseUrl)),
    {
      unanswered: true,
    },
  );
}

/** Returns the service's message on one line; undefined if the answer is something else, such as an HTML page. */
export function apiWords(error: unknown): string | undefined {
  if (!isApiError(error)) return undefined;
  const body = isObject(error.error) ? error.error : {};
  // Gateways may use other fields for the message.
  const message = error.apiMessage ?? body.message ?? body.detail;
  return typeof message === 'string' && message !== '' ? cut(message.replace(/\s+/g, ' ').trim()) : undefined;
}

function isTooLong(error: APIError): boolean {
  return /prompt is too long|exceeds? (the )?(model's )?(maximum )?context|input length and `max_tokens`/i.test(
    error.apiMessage ?? '',
  );
}

function rateLimit(error: APIError, said: string): string {
  const ms = retryAfterMs(error.headers);
  return ms
    ? l10n.t("Anthropic's rate limit is reached: {0}. Ask again in {1} seconds.", said, Math.ceil(ms / 1_000))
    : l10n.t("Anthropic's rate limit is reached: {0}", said);
}

function host(baseUrl: string): string {
  try {
    return new URL(baseUrl).host;
  } catch {
    return cut(baseUrl);
  }
}

function cut(text: string): string {
  return text.length > WORDS ? `${text.slice(0, WORDS)}…` : text;
}

function withoutKey(text: string, apiKey: string): string {
  const known = apiKey === '' ? text : text.split(apiKey).join('[key]');
  return known.replace(KEY_LIKE, '[key]');
}
