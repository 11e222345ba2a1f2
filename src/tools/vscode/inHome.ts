import { homedir } from 'node:os';
import path from 'node:path';

/** A path as people write it: `~/.codex/config.toml`. */
export function inHome(file: string): string {
  const relative = path.relative(homedir(), file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : `~/${relative.replaceAll(path.sep, '/')}`;
}
