import type { BuiltInStrategy } from '../../settings/settings';
import { l10n } from '../../util/l10n';
import { compilePattern, MAX_PATTERN_LENGTH } from './regex';

/** Signs of a pattern, not a phrase: `.*`, `.+`, `\w`, `[a-z]`, `a|b`, `(?i)`, a leading `^`, a `$` after a letter. */
const PATTERN_SIGNS = /\.[*+]|\\[wdsb]|\[[^\]\s]+\][*+?{]?|\S\|\S|\(\?[a-zA-Z:P]|^\^|[\p{L})\]*]\$$/u;

/** Chooses the strategy for `auto`, and gives the reason in words for the user. */
export function chooseStrategy(query: string): { readonly strategy: BuiltInStrategy; readonly why: string } {
  const text = query.trim();
  const short = text.length <= MAX_PATTERN_LENGTH && text.split(/\s+/).length <= 4;
  if (short && PATTERN_SIGNS.test(text) && !('code' in compilePattern(text))) {
    return { strategy: 'regex', why: l10n.t('The query reads as a regular expression.') };
  }
  return { strategy: 'bm25', why: l10n.t('The query is words, which bm25 ranks best.') };
}
