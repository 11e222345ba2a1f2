/** What the Export section asks of the host, and what is known of a session that was opened again. */

export const EXPORT_FORMATS = ['json', 'otlp'] as const;
/** `json` can be opened again; `otlp` is OpenTelemetry's, for other programs. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Characters of a file that is dropped on the section, at the most; larger ones are opened from where they are. */
export const MAX_DROPPED = 50_000_000;

export type ExportToHost =
  /** Asks where to, and writes. `contents`: prompts, queries, arguments, results and messages too. */
  | { readonly type: 'export'; readonly format: ExportFormat; readonly contents: boolean }
  /** Asks for a file, and opens it. */
  | { readonly type: 'openExport' }
  /** Opens what was dropped. */
  | { readonly type: 'openText'; readonly name: string; readonly text: string };

/** What the page of an exported session keeps over a reload, as `exported` beside its own: the host opens the file again by it. */
export type KeptExport = Pick<OriginView, 'file' | 'uri'>;

/** Where a session that was opened again is from; it can be looked at, not changed. */
export interface OriginView {
  readonly file: string;
  /** Where the file is; absent where it was dropped, since VS Code doesn't tell then. */
  readonly uri?: string;
  /** In the user's way of writing dates. */
  readonly exportedAt: string;
  readonly product: string;
  /** False where what was said was left out. */
  readonly contents: boolean;
}
