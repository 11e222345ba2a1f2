/** The model "Search only (no AI)". It isn't a language model, so its turns send nothing and save nothing. */
export const SEARCH_ONLY = { vendor: 'toolsearch', id: 'search-only' } as const;

export function isLanguageModel({ vendor, id }: { readonly vendor: string; readonly id: string }): boolean {
  return vendor !== SEARCH_ONLY.vendor || id !== SEARCH_ONLY.id;
}
