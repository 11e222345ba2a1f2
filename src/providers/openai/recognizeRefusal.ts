import type { Tool } from 'openai/resources/responses/responses';
import type { ModelError } from '../../core/ports';
import { SERVICES } from '../../core/settings/modelServices';
import { l10n } from '../../core/util/l10n';
import { type ErrorContext, explainError, type Failure } from '../failures';
import { refusesRequest } from '../refusals';

// Recognizes what OpenAI's service refuses.

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

/** Returns the error for a reply that the service aborted. */
export function failedResponse(
  error: { readonly code?: string | null; readonly message?: unknown } | null,
  asked: ErrorContext,
): ModelError {
  const given = { status: undefined, code: error?.code, error: error ?? {} };
  const thrown = Object.assign(new Error(l10n.t('no reason given')), given);
  return explainError(thrown, asked, SERVICES.openai);
}
