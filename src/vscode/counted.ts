import * as vscode from 'vscode';
import { formatMessage } from '../core/util/formatMessage';

/**
 * Returns a translated message with numbers, each in the plural form of the user's language:
 * `counted(vscode.l10n.t('{0, plural, one {# tool} other {# tools}}'), count)`.
 */
export function counted(message: string, ...args: readonly (string | number)[]): string {
  const { language } = vscode.env;
  return formatMessage(message, Object.fromEntries(args.map((arg, index) => [index, arg])), {
    plural: new Intl.PluralRules(language),
    number: (value) => value.toLocaleString(language),
  });
}
