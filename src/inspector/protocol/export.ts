/** Exported sessions between host and webview. */

export const EXPORT_FORMATS = ['json', 'otlp'] as const;
/** `json` can be opened again; `otlp` is OpenTelemetry's, for other programs. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Longest text of a dropped file in characters; larger files are opened from their place. */
export const MAX_DROPPED = 50_000_000;

/** The origin of a session that was opened again, which is read-only. */
export interface OriginView {
  readonly file: string;
  /** The file's place; absent if it was dropped, because VS Code doesn't report it then. */
  readonly uri?: string;
  /** In the user's date format. */
  readonly exportedAt: string;
  readonly product: string;
  /** False if prompts, arguments and results were left out. */
  readonly contents: boolean;
}
