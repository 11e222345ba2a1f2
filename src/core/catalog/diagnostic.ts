/**
 * A problem that the user can fix. The inspector shows it. If it has a place in a file, VS Code's Problems view shows
 * it too.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** The setting (`toolsearch.mode`), the file, or the server with the problem. */
  readonly source: string;
  /** The problem and its remedy, in one or two sentences. */
  readonly message: string;
}
