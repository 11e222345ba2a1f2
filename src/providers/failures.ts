import { ModelError, type Refusal } from '../core/ports';
import { l10n } from '../core/util/l10n';

// The failures that the services have in common.

/** The reasons of refusals by status, for callers that react to them. */
export const REFUSALS: { readonly [status: number]: Refusal } = { 401: 'key', 404: 'model', 429: 'limit' };

/** Returns the innermost cause, since the SDKs' own messages don't explain a failed connection. */
export function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

/** Returns the error for a reply that ended early because the connection was lost. */
export function brokenOff(name: string): ModelError {
  return new ModelError(l10n.t('The connection to {0} ended before the answer was complete. Ask again.', name));
}
