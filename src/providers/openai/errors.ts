import type { Tool } from 'openai/resources/responses/responses';
import { ModelError } from '../../core/ports';
import { cut } from '../../core/util/cut';
import { l10n } from '../../core/util/l10n';
import { isObject } from '../../core/util/objects';
import type { ModelAccess } from '../access';
import { REFUSALS, rootOf } from '../failures';
import { refusesRequest } from '../refusals';
import { causeOf, isUnpaid } from '../retry';

// Recognizes failures of OpenAI's service and turns them into messages for the user.

/**
 * The relevant properties of an error of the SDK. They are read without the SDK's classes, so that the SDK need not be
 * loaded.
 */
export interface Failure {
  readonly status?: number;
  readonly code: string;
  /** The path of the part that the service complains about, such as `tools[2].tools[0].parameters`. */
  readonly param: string;
  readonly message: string;
  /** Whether no answer came in time. The service may still have been working on it. */
  readonly timedOut: boolean;
}

const MESSAGE_CHARS = 300;
/** The service's error code for an account without credit. */
const QUOTA = 'insufficient_quota';
const quotaWords = () =>
  l10n.t(
    'The quota of the OpenAI account is used up. Look at its plan and billing, or set another key with “Tool Search: Manage API Keys”.',
  );
/** Matches text that looks like an API key. The service repeats parts of a wrong key. */
const KEY = /\bsk-[\w*.-]+/g;

/**
 * Whether the SDK threw this error. Its errors have a `status` property, undefined if there was no answer. Any other
 * error is a bug.
 */
export function isFailure(error: unknown): error is Error {
  return error instanceof Error && 'status' in error;
}

/** Reads an error of the SDK. */
export function failureOf(error: Error, { apiKey }: Pick<ErrorContext, 'apiKey'>): Failure {
  const { status, code, type, param, error: body } = error as { readonly [key: string]: unknown } & Error;
  const message = isObject(body) && typeof body.message === 'string' ? body.message : rootOf(error).message;
  return {
    ...(typeof status === 'number' ? { status } : {}),
    code: isUnpaid({ code, type }) ? QUOTA : typeof code === 'string' ? code : '',
    param: typeof param === 'string' ? param : '',
    message: plain(message, apiKey),
    timedOut: error.name === 'APIConnectionTimeoutError',
  };
}

/** Returns a message of the service on one line, without keys. An HTML page is replaced by a short note. */
function plain(message: string, apiKey: string): string {
  if (/<html|<!doctype/i.test(message)) return l10n.t('a web page');
  const masked = (apiKey ? message.replaceAll(apiKey, '…') : message).replace(KEY, '…');
  return cut(masked.replace(/\s+/g, ' ').trim(), MESSAGE_CHARS);
}

/** Matches a complaint about one function: its name and the problem. */
const NAMED = /Invalid schema for function '([^']+)':?\s*(.*)/;

/**
 * Whether the complaint is about the whole request. Complaints about one function are excluded, since a function's name
 * may contain any words.
 */
function refusesWhole({ status, message }: Failure): boolean {
  return refusesRequest(status) && !NAMED.test(message);
}

/**
 * Whether the model has no tool search. A service that doesn't know `defer_loading` complains about that field instead.
 */
export function lacksToolSearch(failure: Failure): boolean {
  const { param, message } = failure;
  if (!refusesWhole(failure)) return false;
  if (/defer_loading/.test(param) || /(Invalid value:|Input tag) '(tool_search|namespace)/i.test(message)) return true;
  if (/unknown (parameter|field|argument)|extra inputs|not permitted/i.test(message) && /defer_loading/.test(message))
    return true;
  return (
    /tool_search|defer_loading|deferred tools|namespace/i.test(message) &&
    /not supported|unsupported|not available/i.test(message)
  );
}

/** Whether programs of this model can't call tools. */
export function lacksCode(failure: Failure): boolean {
  return (
    refusesWhole(failure) &&
    (failure.param.includes('allowed_callers') || /programmatic|allowed_callers/i.test(failure.message))
  );
}

/** Whether the service refuses the schema of a tool's results. */
export function lacksReturns({ status, param, message }: Failure): boolean {
  return (
    refusesRequest(status) &&
    (param.includes('output_schema') || message.replace(NAMED, '$2').includes('output_schema'))
  );
}

/** Whether a part of the conversation belongs to another account. */
export function isForeign({ status, message }: Failure): boolean {
  return (status === 401 || status === 400) && /item ID does not belong/i.test(message);
}

/** Whether the service can't encrypt this model's reasoning. */
export function lacksEncryptedReasoning({ status, param, message }: Failure): boolean {
  return refusesRequest(status) && (param.startsWith('include') || /encrypted content is not supported/i.test(message));
}

/** Returns whether the service refuses a part of the whole request. Its complaint names that part. */
export function refusesPart(part: RegExp): (failure: Failure) => boolean {
  return (failure) => refusesWhole(failure) && part.test(`${failure.param} ${failure.message}`);
}

/** Returns the function whose definition the service refuses, and the reason; undefined for any other failure. */
export function rejectedFunction(
  { status, param, message }: Failure,
  tools: readonly Tool[],
): { readonly name: string; readonly why: string } | undefined {
  if (!refusesRequest(status)) return undefined;
  const named = NAMED.exec(message);
  if (named?.[1]) return { name: named[1], why: named[2] ?? '' };
  const at = /^tools\[(\d+)\](?:\.tools\[(\d+)\])?\.(?:name|description|parameters|strict|output_schema)\b/.exec(param);
  const outer = tools[Number(at?.[1])];
  const tool = outer?.type === 'namespace' ? outer.tools[Number(at?.[2])] : outer;
  return tool?.type === 'function' ? { name: tool.name, why: message } : undefined;
}

/** The facts that an error message needs. */
export type ErrorContext = Pick<ModelAccess, 'name' | 'model' | 'baseUrl' | 'apiKey'>;

/** Returns an error with a message for the user. */
function explain(failure: Failure, asked: ErrorContext): ModelError {
  const refusal = REFUSALS[failure.status ?? 0];
  return new ModelError(wordsFor(failure, asked), { ...(refusal ? { refusal } : {}), unanswered: !failure.timedOut });
}

/** Returns an error of the SDK with a message for the user. Our own errors inside the SDK's are returned unchanged. */
export function explainError(error: unknown, asked: ErrorContext): unknown {
  return causeOf(error) ?? (isFailure(error) ? explain(failureOf(error, asked), asked) : error);
}

function wordsFor({ status, code, message, timedOut }: Failure, { name, model, baseUrl }: ErrorContext): string {
  if (code === 'context_length_exceeded')
    return l10n.t(
      'This conversation is longer than {0} can read. Start a new chat, or choose a model with a larger window.',
      name,
    );
  if (code === QUOTA) return quotaWords();
  switch (status) {
    case undefined:
      if (timedOut) return l10n.t('{0} did not answer in time. Ask again.', name);
      return l10n.t(
        "{0} can't be reached ({1}). Check the connection and toolsearch.openai.baseUrl.",
        baseUrl,
        message,
      );
    case 401:
      return l10n.t('OpenAI refused the API key. Set another one with “Tool Search: Manage API Keys”.');
    case 403:
      return l10n.t('The API key may not use {0} (HTTP 403: {1}).', name, message);
    case 404:
      return code === 'model_not_found'
        ? l10n.t('OpenAI has no model {0} for this API key. Choose another model.', model)
        : l10n.t('{0} has no Responses API (HTTP 404). Check toolsearch.openai.baseUrl.', baseUrl);
    case 413:
      return l10n.t('The request is too large for {0}. Start a new chat, or defer more tools.', name);
    case 429:
      return l10n.t("OpenAI's rate limit is reached, also after waiting. Ask again in a minute. ({0})", message);
  }
  if (status >= 500) return l10n.t("OpenAI can't answer at the moment (HTTP {0}). Ask again later.", status);
  return l10n.t('{0} refused the request (HTTP {1}): {2}', 'OpenAI', status, message);
}

/** Returns the error for a reply that the service aborted. */
export function failedResponse(
  error: { readonly code?: string | null; readonly message?: unknown } | null,
  { name, apiKey }: Pick<ErrorContext, 'name' | 'apiKey'>,
): ModelError {
  if (error && isUnpaid(error)) return new ModelError(quotaWords(), { refusal: 'limit' });
  if (error?.code === 'rate_limit_exceeded')
    return new ModelError(l10n.t("OpenAI's rate limit is reached. Ask again in a minute."), { refusal: 'limit' });
  const reason = typeof error?.message === 'string' ? error.message : l10n.t('no reason given');
  return new ModelError(l10n.t('{0} failed while it answered: {1} Ask again.', name, plain(reason, apiKey)));
}
