import { cut } from '../../core/util/cut';
import { isObject } from '../../core/util/objects';

/**
 * The longest details of an error that are shown, in characters. The message comes first, and all of it is cut later.
 */
const MAX_DETAILS = 1_000;
/** JSON-RPC's code for an error of no other code. */
const INTERNAL_ERROR = -32603;

/** The words of a JSON-RPC error, with what its server says beside the message. */
export function errorWords({
  message,
  code,
  data,
}: {
  readonly message: string;
  readonly code: unknown;
  readonly data?: unknown;
}): string {
  const details =
    data === undefined || data === null ? '' : cut(typeof data === 'string' ? data : JSON.stringify(data), MAX_DETAILS);
  if (message.trim() === '') return details || `its server says no more than an error of code ${String(code)}.`;
  return details && !message.includes(details) ? `${message} (${details})` : message;
}

/**
 * Turns an error that has not the form of the protocol (a code that is no whole number, no message, a text in place of
 * both) into one that has, so that its words arrive. Returns undefined for anything else.
 */
export function mendedError(
  value: unknown,
): { jsonrpc: '2.0'; id: string | number; error: { code: number; message: string } } | undefined {
  if (!isObject(value) || 'method' in value || (typeof value.id !== 'number' && typeof value.id !== 'string'))
    return undefined;
  const { id, error } = value;
  if (error === undefined || error === null) return undefined;
  const { message, code, data } = isObject(error) ? error : { message: error };
  if (typeof message === 'string' && Number.isSafeInteger(code)) return undefined;
  const said = typeof message === 'string' ? message : '';
  const rest = said === '' && data === undefined && code === undefined ? error : data;
  return {
    jsonrpc: '2.0',
    id,
    error: { code: INTERNAL_ERROR, message: errorWords({ message: said, code, data: rest }) },
  };
}
