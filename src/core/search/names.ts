import type { Tool } from '../tool';
import { squash } from './text';

/**
 * The names in a query. Case and separators don't matter: `create_issue` is named by `create-issue`, `CreateIssue` and
 * `create issue` alike.
 */
export class NameTable<Key> {
  private readonly bySquashed = new Map<string, Set<Key>>();
  private readonly counts = new Map<number, number>();

  /** Files `key` under a tool's names: its own, its id and the one that models see. */
  add(tool: Tool, key: Key): void {
    for (const name of namesOf(tool)) {
      const keys = this.bySquashed.get(name);
      if (keys) keys.add(key);
      else {
        this.bySquashed.set(name, new Set([key]));
        this.counts.set(name.length, (this.counts.get(name.length) ?? 0) + 1);
      }
    }
  }

  remove(tool: Tool, key: Key): void {
    for (const name of namesOf(tool)) {
      const keys = this.bySquashed.get(name);
      if (!keys?.delete(key) || keys.size > 0) continue;
      this.bySquashed.delete(name);
      const left = (this.counts.get(name.length) ?? 1) - 1;
      if (left > 0) this.counts.set(name.length, left);
      else this.counts.delete(name.length);
    }
  }

  /** Who has this name. */
  find(name: string): ReadonlySet<Key> {
    return this.bySquashed.get(squash(name)) ?? new Set();
  }

  /** Who is named anywhere in `text`: the longest names first, none that lies inside a longer one. */
  mentioned(text: string): Key[] {
    const pieces = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => match[0].toLowerCase());
    const longest = Math.max(0, ...this.counts.keys());
    const spans: { start: number; end: number; keys: ReadonlySet<Key> }[] = [];
    for (let start = 0; start < pieces.length; start++) {
      let joined = '';
      for (let end = start; end < pieces.length; end++) {
        joined += pieces[end];
        if (joined.length > longest) break;
        const keys = this.counts.has(joined.length) ? this.bySquashed.get(joined) : undefined;
        if (keys) spans.push({ start, end, keys });
      }
    }
    const length = (span: { start: number; end: number }) => span.end - span.start;
    spans.sort((a, b) => length(b) - length(a) || a.start - b.start);
    const taken = new Set<number>();
    const found = new Set<Key>();
    for (const { start, end, keys } of spans) {
      const positions = Array.from({ length: end - start + 1 }, (_, i) => start + i);
      if (positions.every((position) => taken.has(position))) continue;
      for (const position of positions) taken.add(position);
      for (const key of keys) found.add(key);
    }
    return [...found];
  }
}

function namesOf(tool: Tool): Set<string> {
  return new Set([squash(tool.name), squash(tool.id), squash(tool.modelName)].filter((name) => name !== ''));
}
