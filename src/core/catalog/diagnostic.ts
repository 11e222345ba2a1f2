/** A problem that the user can fix. The inspector shows it, and VS Code's Problems view if it has a place in a file. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** The setting (`toolsearch.mode`), the file, or the server with the problem. */
  readonly source: string;
  /** The problem and its remedy, in one or two sentences. */
  readonly message: string;
}
