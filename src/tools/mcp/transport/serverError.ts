import { cut } from '../../../core/util/cut';
import { isObject, jsonText } from '../../../core/util/objects';

/** In characters. The details follow the message, and the whole is cut later. */
const MAX_DETAILS = 1_000;
const INTERNAL_ERROR = -32603;

/** Returns the message of a JSON-RPC error, with the server's details. */
export function errorWords(message: string, code: unknown, data: unknown): string {
  const details =
    data === undefined || data === null ? '' : cut(typeof data === 'string' ? data : jsonText(data), MAX_DETAILS);
  if (message.trim() === '') return details || `its server says no more than an error of code ${jsonText(code)}.`;
  return details && !message.includes(details) ? `${message} (${details})` : message;
}

/**
 * Converts an error that doesn't follow the protocol to a valid one, so that its message isn't lost. Its code may not
 * be an integer, its message may be missing, or it may be a plain text. Returns undefined for any other value.
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
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: errorWords(said, code, rest) } };
}
