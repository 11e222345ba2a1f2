/** Returns the names of languages for people: "English, German" of `en` and `de`, in the language of `locale`. */
export function languageNames(tags: readonly string[], locale: string): string {
  return tags.map((tag) => nameOf(tag, locale)).join(', ');
}

/** A tag comes from a setting, so it may be of no language. */
function nameOf(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
