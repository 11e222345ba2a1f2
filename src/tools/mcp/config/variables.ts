// Replaces the variables of `mcp.json`, such as `${workspaceFolder}` and `${input:id}`.

import path from 'node:path';
import { l10n } from '../../../core/util/l10n';
import { ServerFailure } from './serverFailure';

/**
 * The source of a value: an environment variable or `envFile`, the user's answer, the server's own environment, a
 * header, or its address.
 */
export type ValueKind = 'variable' | 'answer' | 'environment' | 'header' | 'address';

/** The values of variables, and the functions that learn secrets from them. */
export interface VariableContext {
  /** The name of the file with the server's entry, for people. */
  readonly file: string;
  /** The path of the server's workspace folder. */
  readonly folder?: string;
  /** Name → path of every workspace folder. */
  readonly folders: ReadonlyMap<string, string>;
  readonly home: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** Returns the user's answer for `${input:id}`. Rejects with a {@link ServerFailure} if there is none. */
  input(id: string): Promise<string>;
  /** Called with each value that may be a secret, its name and its source. */
  readonly learn: (name: string, value: string, as: ValueKind) => void;
  /** Called with a server's arguments, which may contain secrets. */
  readonly learnArguments: (args: readonly string[]) => void;
}

const VARIABLE = /\$\{([^{}]*)\}/g;

/**
 * Replaces the variables in a text, as VS Code does. Variables inside the values aren't replaced. Throws a {@link
 * ServerFailure} that names a variable without a value.
 */
export async function resolveText(text: string, context: VariableContext): Promise<string> {
  let resolved = '';
  let end = 0;
  for (const match of text.matchAll(VARIABLE)) {
    resolved += text.slice(end, match.index) + (await meaningOf(match[1] ?? '', context));
    end = match.index + match[0].length;
  }
  return resolved + text.slice(end);
}

async function meaningOf(variable: string, context: VariableContext): Promise<string> {
  const colon = variable.indexOf(':');
  const name = colon < 0 ? variable : variable.slice(0, colon);
  const argument = colon < 0 ? undefined : variable.slice(colon + 1);
  switch (name) {
    case 'workspaceFolder':
      return folderOf(variable, argument, context);
    case 'workspaceFolderBasename':
      return path.basename(folderOf(variable, argument, context));
    case 'env': {
      if (!argument) return fail(variable, context);
      // As in VS Code, an unset variable is empty. `process.env` inherits functions such as `toString`.
      const value: unknown = context.env[argument];
      return learned(argument, typeof value === 'string' ? value : '', 'variable', context);
    }
    case 'input':
      return argument ? learned(argument, await context.input(argument), 'answer', context) : fail(variable, context);
    case 'userHome':
      return context.home;
    case 'pathSeparator':
    case '/':
      return path.sep;
    default:
      return fail(variable, context);
  }
}

function learned(name: string, value: string, as: ValueKind, context: VariableContext): string {
  context.learn(name, value, as);
  return value;
}

function folderOf(variable: string, name: string | undefined, context: VariableContext): string {
  const folder = name === undefined ? context.folder : context.folders.get(name);
  if (folder !== undefined) return folder;
  const { file } = context;
  const used = shown(variable);
  throw new ServerFailure(
    name === undefined
      ? l10n.t('Its entry in {0} uses {1}, but no folder is open.', file, used)
      : l10n.t('Its entry in {0} uses {1}, but no folder of the workspace is called {2}.', file, used, name),
  );
}

/** Returns a variable as it is written in the file. */
function shown(variable: string): string {
  return `\${${variable}}`;
}

function fail(variable: string, { file }: VariableContext): never {
  throw new ServerFailure(
    l10n.t(
      "Its entry in {0} uses {1}, which Tool Search doesn't know. It knows workspaceFolder, workspaceFolderBasename, env:…, input:…, userHome and pathSeparator.",
      file,
      shown(variable),
    ),
  );
}
