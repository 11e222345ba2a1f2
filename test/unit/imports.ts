import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The repository's root. */
export const ROOT = path.join(import.meta.dirname, '../..');

export interface Import {
  readonly from: string;
  /** A path from the root, or the name of a package. */
  readonly to: string;
  /** The imported names; `*` means all of them. */
  readonly names: readonly string[];
}

/** The TypeScript files below a folder, as paths from the root. */
export function sourceFiles(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')));
}

export const readSource = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Matches `import … from` and `export … from` with their names, `import()` and `import 'x'`. */
const IMPORTS = [
  /^(?:import|export)\s+(?:type\s+)?([^'"();]*?)\s*from\s*'([^']+)'/gm,
  /()\bimport\(\s*'([^']+)'\s*\)/g,
  /^()import\s+'([^']+)'/gm,
];

/** All imports of the files below a folder, including those of types. */
export function importsOf(folder: string): readonly Import[] {
  return sourceFiles(folder).flatMap((from) => {
    const text = readSource(from);
    return IMPORTS.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(([whole, what = '', to = '']) => ({
        from,
        to: to.startsWith('.') ? path.posix.join(path.posix.dirname(from), to) : to,
        names: namesIn(what, whole),
      })),
    );
  });
}

/** The names in `{ a, type b as c }`, or `whole` if the module is imported as a whole. */
function namesIn(what: string, whole: string): readonly string[] {
  const braces = /\{([^}]*)\}/.exec(what)?.[1] ?? (what.includes('*') || !whole.includes('{') ? undefined : what);
  if (braces === undefined) return ['*'];
  return braces
    .split(',')
    .map((name) => name.trim().replace(/^type\s+/, ''))
    .flatMap((name) => name.split(/\s+as\s+|:/)[0]?.trim() || []);
}
