import type { ExportedSession, ExportOptions } from './exportedSession';
import { writeOtlp } from './writeOtlp';
import { writeSession } from './writeSession';

/** The format of an exported session. `otlp` is OpenTelemetry's format, for other programs. */
export type ExportFormat = 'json' | 'otlp';

/** Yields the text of a session's file in pieces. Bundled separately and loaded at the first export. */
export function exportSession(
  format: ExportFormat,
  session: ExportedSession,
  options: ExportOptions,
): Generator<string> {
  return format === 'json' ? writeSession(session, options) : writeOtlp(session, options);
}
