import type { Tool } from 'openai/resources/responses/responses';
import { ModelError, type Refusal } from '../../core/ports';
import { cut } from '../../core/util/cut';
import { isObject } from '../../core/util/objects';
import type { ModelAccess } from '../access';
import { refusesRequest } from '../refusals';
import { causeOf, isUnpaid } from '../retry';

/** The part of the SDK's errors that counts here; read from the shape, so that the SDK need not be loaded. */
export interface Failure {
  readonly status?: number;
  readonly code: string;
  /** The part of the request that it complains about, as `tools[2].tools[0].parameters`. */
  readonly param: string;
  readonly message: string;
  /** True where no answer came in time: it may have been under way. */
  readonly timedOut: boolean;
}

const MESSAGE_CHARS = 300;
/** The code of an account that can't pay. */
const QUOTA = 'insufficient_quota';
const QUOTA_WORDS =
  'The quota of the OpenAI account is used up. Look at its plan and billing, or set another key with “Tool Search: Manage API Keys”.';
/** Anything that looks like a key: the service repeats parts of a wrong one. */
const KEY = /\bsk-[\w*.-]+/g;

/** Whether the SDK threw it: all its errors have a status, undefined where there was no answer. Any other is a bug. */
export function isFailure(error: unknown): error is Error {
  return error instanceof Error && 'status' in error;
}

/** What an error of the SDK tells. */
export function failureOf(error: Error, { apiKey }: Pick<ErrorContext, 'apiKey'>): Failure {
  const { status, code, type, param, error: body } = error as { readonly [key: string]: unknown } & Error;
  const told = isObject(body) && typeof body.message === 'string' ? body.message : rootOf(error).message;
  return {
    ...(typeof status === 'number' ? { status } : {}),
    code: isUnpaid({ code, type }) ? QUOTA : typeof code === 'string' ? code : '',
    param: typeof param === 'string' ? param : '',
    message: plain(told, apiKey),
    timedOut: error.name === 'APIConnectionTimeoutError',
  };
}

/** Of a failed connection the SDK's own message says nothing. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

/** A message of the service on one line, without keys; a page of HTML says nothing. */
function plain(message: string, apiKey: string): string {
  if (/<html|<!doctype/i.test(message)) return 'a web page';
  const masked = (apiKey ? message.replaceAll(apiKey, '…') : message).replace(KEY, '…');
  return cut(masked.replace(/\s+/g, ' ').trim(), MESSAGE_CHARS);
}

/** How the service names a function that it complains of. */
const NAMED = /Invalid schema for function '([^']+)':?\s*(.*)/;

/** Whether the service complains of the request, and not of one function: its name and what is wrong with it may be any words. */
function refusesWhole({ status, message }: Failure): boolean {
  return refusesRequest(status) && !NAMED.test(message);
}

/** The service says that the model has no tool search; one that doesn't know a tool's `defer_loading` says it of that tool. */
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

/** The service says that the model's programs can't call tools. */
export function lacksCode(failure: Failure): boolean {
  return (
    refusesWhole(failure) &&
    (failure.param.includes('allowed_callers') || /programmatic|allowed_callers/i.test(failure.message))
  );
}

/** The service complains of a schema of results. */
export function lacksReturns({ status, param, message }: Failure): boolean {
  return (
    refusesRequest(status) &&
    (param.includes('output_schema') || message.replace(NAMED, '$2').includes('output_schema'))
  );
}

/** Something of the conversation belongs to another account. */
export function isForeign({ status, message }: Failure): boolean {
  return (status === 401 || status === 400) && /item ID does not belong/i.test(message);
}

/** The service can't encrypt this model's reasoning. */
export function lacksEncryptedReasoning({ status, param, message }: Failure): boolean {
  return refusesRequest(status) && (param.startsWith('include') || /encrypted content is not supported/i.test(message));
}

/** Whether the service takes no tools in mid-conversation. */
export function lacksAdditions(failure: Failure): boolean {
  return refusesWhole(failure) && /additional_tools/.test(`${failure.param} ${failure.message}`);
}

/** Whether the service knows no key for its cache. */
export function lacksCacheKey(failure: Failure): boolean {
  return refusesWhole(failure) && /prompt_cache_key/.test(`${failure.param} ${failure.message}`);
}

/** The service lets nobody demand a tool. */
export function lacksToolChoice(failure: Failure): boolean {
  return refusesWhole(failure) && (failure.param.startsWith('tool_choice') || /tool_choice/.test(failure.message));
}

/** The function whose definition the service rejects, and why; undefined for any other failure. */
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

/** What the callers of our models can do something about. */
const REFUSALS: { readonly [status: number]: Refusal } = { 401: 'key', 404: 'model', 429: 'limit' };

/** What a failure is explained with. */
export type ErrorContext = Pick<ModelAccess, 'name' | 'model' | 'baseUrl' | 'apiKey'>;

/** A failure in words for the user. */
function explain(failure: Failure, asked: ErrorContext): ModelError {
  const refusal = REFUSALS[failure.status ?? 0];
  return new ModelError(wordsFor(failure, asked), { ...(refusal ? { refusal } : {}), unanswered: !failure.timedOut });
}

/** What the SDK threw, in words for the user; what we threw ourselves inside it, as it is. */
export function explainError(error: unknown, asked: ErrorContext): unknown {
  return causeOf(error) ?? (isFailure(error) ? explain(failureOf(error, asked), asked) : error);
}

function wordsFor({ status, code, message, timedOut }: Failure, { name, model, baseUrl }: ErrorContext): string {
  if (code === 'context_length_exceeded')
    return `This conversation is longer than ${name} can read. Start a new chat, or choose a model with a larger window.`;
  if (code === QUOTA) return QUOTA_WORDS;
  switch (status) {
    case undefined:
      if (timedOut) return `${name} did not answer in time. Ask again.`;
      return `${baseUrl} can't be reached (${message}). Check the connection and toolsearch.openai.baseUrl.`;
    case 401:
      return 'OpenAI refused the API key. Set another one with “Tool Search: Manage API Keys”.';
    case 403:
      return `The API key may not use ${name} (HTTP 403: ${message}).`;
    case 404:
      return code === 'model_not_found'
        ? `OpenAI has no model ${model} for this API key. Choose another one.`
        : `${baseUrl} has no Responses API (HTTP 404). Check toolsearch.openai.baseUrl.`;
    case 413:
      return `The request is too large for ${name}. Start a new chat, or defer more tools.`;
    case 429:
      return `OpenAI's rate limit is reached, also after waiting. Ask again in a minute. (${message})`;
  }
  if (status >= 500) return `OpenAI can't answer at the moment (HTTP ${status}). Ask again later.`;
  return `OpenAI refused the request (HTTP ${status}): ${message}`;
}

/** A reply whose end never came. */
export function brokenOff(name: string): ModelError {
  return new ModelError(`The connection to ${name} ended before its answer did. Ask again.`);
}

/** A reply that the service gave up in the middle. */
export function failedResponse(
  error: { readonly code?: string | null; readonly message?: string } | null,
  { name, apiKey }: Pick<ErrorContext, 'name' | 'apiKey'>,
): ModelError {
  if (error && isUnpaid(error)) return new ModelError(QUOTA_WORDS, { refusal: 'limit' });
  if (error?.code === 'rate_limit_exceeded')
    return new ModelError("OpenAI's rate limit is reached. Ask again in a minute.", { refusal: 'limit' });
  return new ModelError(
    `${name} failed while it answered: ${plain(error?.message ?? 'no reason given', apiKey)} Ask again.`,
  );
}
