import type { ExportFormat } from '../protocol/export';
import type { ExportedSession, ExportOptions } from './format';
import { type FileProblem, type Origin, readSession, sessionOf } from './readSession';
import { writeOtlp } from './writeOtlp';
import { writeSession } from './writeSession';

/* Writes sessions to files and reads them. Bundled separately and loaded at the first export or file. */

/** The number of bytes that are decoded in one step, which takes a few milliseconds. */
const STEP = 500_000;

/**
 * Yields the text of a file in pieces.
 * @param newId returns a random hexadecimal id with this number of bytes
 */
export function exportSession(
  format: ExportFormat,
  session: ExportedSession,
  options: ExportOptions,
  newId: (bytes: number) => string,
): Generator<string> {
  return format === 'json' ? writeSession(session, options) : writeOtlp(session, options, newId);
}

export type Opened =
  | { readonly ok: true; readonly session: ExportedSession; readonly origin: Origin }
  | { readonly ok: false; readonly problem: FileProblem };

/**
 * Reads a file in steps, so that the caller can yield to the event loop. The yielded values have no meaning. Never
 * throws.
 */
export function* openSession(document: Uint8Array | string): Generator<undefined, Opened> {
  const text = typeof document === 'string' ? document : yield* decodeText(document);
  if (text === undefined) return { ok: false, problem: { kind: 'notText' } };
  const reading = yield* readSession(text);
  if (!reading.ok) return reading;
  const { exportedAt, product, contents } = reading.file;
  const session = yield* sessionOf(reading.file);
  return { ok: true, session, origin: { exportedAt, product, contents } };
}

/**
 * Decodes a UTF-8 file in steps, so that the caller can yield to the event loop. Returns undefined if it isn't text.
 */
function* decodeText(bytes: Uint8Array): Generator<undefined, string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pieces: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      pieces.push(decoder.decode(bytes.subarray(at, at + STEP), { stream: true }));
      yield undefined;
    }
    pieces.push(decoder.decode());
  } catch {
    return undefined;
  }
  return pieces.join('');
}
