import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Returns the errors that the installed compiler reports for these signatures, as members of an interface. */
export async function typeErrors(signatures: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'signatures-'));
  const file = path.join(folder, 'signatures.ts');
  await writeFile(file, `export interface Tools {\n${signatures.map((line) => `${asMember(line)};`).join('\n')}\n}\n`);
  const compiler = path.resolve('node_modules/typescript/bin/tsc');
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [
        compiler,
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        // Types of nested strings aren't written where there is little room.
        '--noImplicitAny',
        'false',
        '--target',
        'es2023',
        '--lib',
        'es2023',
        '--types',
        '',
        file,
      ],
      { maxBuffer: 50_000_000 },
      (_, stdout) => resolve(stdout),
    );
  });
  await rm(folder, { recursive: true, force: true });
  return output
    .split('\n')
    .filter((line) => line.includes('error'))
    .slice(0, 10);
}

/** A signature as a member of an interface: its one argument gets a name, and its result a type position. */
function asMember(signature: string): string {
  const open = signature.indexOf('(');
  const close = closing(signature, open);
  const args = signature.slice(open + 1, close);
  const returns = signature.slice(close + 1).replace(/^ => /, '');
  return `${signature.slice(0, open)}(${args === '' ? '' : `args: ${args}`}): ${returns === '' ? 'any' : returns}`;
}

/** The index of the parenthesis that closes the one at `open`. Those in strings and comments don't count. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (const { 0: part, index } of text.slice(open).matchAll(/"(?:[^"\\]|\\.)*"|\/\*.*?\*\/|[()]/g)) {
    if (part === '(') depth++;
    if (part === ')' && --depth === 0) return open + index;
  }
  return text.length;
}
