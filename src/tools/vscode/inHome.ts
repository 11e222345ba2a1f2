import { homedir } from 'node:os';
import path from 'node:path';

/** Returns a path with `~` for the user's home: `~/.codex/config.toml`. */
export function inHome(file: string): string {
  const relative = path.relative(homedir(), file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : `~/${relative.replaceAll(path.sep, '/')}`;
}
