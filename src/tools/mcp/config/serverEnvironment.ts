import { SERVICES } from '../../../core/settings/modelServices';
import type { VariableContext } from './variables';

/**
 * The environment variables with the keys of Tool Search itself. A server gets one only if its entry asks for it, as in
 * `"OPENAI_API_KEY": "${env:OPENAI_API_KEY}"`.
 */
const OUR_KEYS: ReadonlySet<string> = new Set(Object.values(SERVICES).map(({ variable }) => variable));

/** Returns the user's environment without our keys and variables that make a program behave as a part of VS Code. */
export function inherited(env: VariableContext['env']): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        // Upper case is compared, since Windows ignores case.
        entry[1] !== undefined &&
        !OUR_KEYS.has(entry[0].toUpperCase()) &&
        !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(entry[0]),
    ),
  );
}
