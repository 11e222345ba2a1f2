import type * as vscode from 'vscode';
import type { Redact } from '../core/util/knownSecrets';

/** The methods of a log that write lines. */
const WRITES = new Set<unknown>(['trace', 'debug', 'info', 'warn', 'error', 'append', 'appendLine', 'replace']);

/** Returns a log that removes secrets from its lines, since users send logs to others. */
export function secretFreeLog(log: vscode.LogOutputChannel, redact: Redact): vscode.LogOutputChannel {
  const plain = (value: unknown) =>
    typeof value === 'string' ? redact(value) : value instanceof Error ? redact(value.stack ?? value.message) : value;
  return new Proxy(log, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return WRITES.has(name) ? (...written: unknown[]) => value.apply(target, written.map(plain)) : value.bind(target);
    },
  });
}
