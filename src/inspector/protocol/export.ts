/** Exported sessions in the messages between host and webview. */

export const EXPORT_FORMATS = ['json', 'otlp'] as const;
/** `json` can be opened again. `otlp` is OpenTelemetry's format, for other programs. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The maximum length of a dropped file's text, in characters. Larger files must be opened by path. */
export const MAX_DROPPED = 50_000_000;

/** The origin of an exported session, which is read-only. */
export interface OriginView {
  readonly file: string;
  /** The file's URI; undefined if the file was dropped, since VS Code doesn't report it then. */
  readonly uri?: string;
  /** The time of the export, in the user's date format. */
  readonly exportedAt: string;
  readonly product: string;
  /** Whether prompts, arguments and results are included. */
  readonly contents: boolean;
}
