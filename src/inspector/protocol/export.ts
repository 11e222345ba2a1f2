export const EXPORT_FORMATS = ['json', 'otlp'] as const;
/** The format of an exported session. `otlp` is OpenTelemetry's format, for other programs. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
