import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vitest/node';

const ROOT = path.join(import.meta.dirname, '../../..');

/** A regular expression of our code, and its place. */
export interface Found {
  /** As written in the code, or the file's name if the expression is made from text. */
  readonly written: string;
  readonly file: string;
}

/**
 * Collects every regular expression that could take long in the code of VS Code's side and the webview. One that
 * repeats nothing can't take long.
 */
export const collectPatterns = (): readonly Found[] => ['src', 'webview'].flatMap(sourcesIn).flatMap(patternsIn);

function sourcesIn(folder: string): string[] {
  const entries = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return entries
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')));
}

function patternsIn(file: string): Found[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  const found: Found[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const written = patternOf(node as Node, file);
    if (written !== undefined) found.push({ written, file });
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

interface Node {
  readonly type?: string;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly type: string; readonly name?: string };
}

function patternOf({ type, regex, callee }: Node, file: string): string | undefined {
  if (type === 'Literal' && regex)
    return /[*+]|\{\d/.test(regex.pattern) ? `/${regex.pattern}/${regex.flags}` : undefined;
  const makes =
    (type === 'NewExpression' || type === 'CallExpression') &&
    callee?.type === 'Identifier' &&
    callee.name === 'RegExp';
  return makes ? file : undefined;
}
