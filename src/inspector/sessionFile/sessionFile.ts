import type { ExportFormat } from '../protocol/export';
import { decodeText } from './decodeText';
import type { ExportOptions, Session } from './format';
import { type FileProblem, type Origin, readSession, sessionOf } from './readSession';
import { writeOtlp } from './writeOtlp';
import { writeSession } from './writeSession';

/*
 * Sessions in files. A part of its own in the package: the host loads it when it first exports or opens one.
 */

/** The text of a file, in pieces. @param newId makes a random id of so many bytes, in hexadecimal */
export function exportSession(
  format: ExportFormat,
  session: Session,
  options: ExportOptions,
  newId: (bytes: number) => string,
): Generator<string> {
  return format === 'json' ? writeSession(session, options) : writeOtlp(session, options, newId);
}

export type Opened =
  | { readonly ok: true; readonly session: Session; readonly origin: Origin }
  | { readonly ok: false; readonly problem: FileProblem };

/** Reads a file; what is yielded means only that others may have their turn. Never throws. */
export function* openSession(document: Uint8Array | string): Generator<undefined, Opened> {
  const text = typeof document === 'string' ? document : yield* decodeText(document);
  if (text === undefined) return { ok: false, problem: { kind: 'notText' } };
  const reading = yield* readSession(text);
  if (!reading.ok) return reading;
  const { exportedAt, product, contents } = reading.file;
  const session = yield* sessionOf(reading.file);
  return { ok: true, session, origin: { exportedAt, product, contents } };
}
