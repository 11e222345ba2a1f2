/** Returns languages' names for people, in the language of `locale`: "English, German" for `en` and `de`. */
export function languageNames(tags: readonly string[], locale: string): string {
  return tags.map((tag) => nameOf(tag, locale)).join(', ');
}

/**
 * Returns the name of a tag's language, or the tag itself. A tag comes from a setting, so the language may not exist.
 */
function nameOf(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
