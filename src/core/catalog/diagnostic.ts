/** Something wrong that the user can mend; shown in the inspector, and in Problems where it has a place in a file. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** The setting (`toolsearch.mode`), the file, or the server it is about. */
  readonly source: string;
  /** What is wrong and what to do, in one or two sentences. */
  readonly message: string;
}
