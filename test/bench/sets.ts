import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Tool } from '../../src/core/catalog/tool';
import type { WordsOf } from '../../src/core/search/words/searchWords';
import { InputError, type Query, readQueries, readTools, readWords } from './data';

/** A catalog with labelled queries. */
export interface DataSet {
  /** `folder/name`. */
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly queries: readonly Query[];
  readonly wordsOf: WordsOf;
}

/**
 * Matches kinds of queries with several needs. They are left out of means over kinds, since their first hit says
 * little.
 */
const SEVERAL_NEEDS = /:(?:task|multi)$/;

/** Whether the queries of a kind (`folder/name:kind`) have one need each. */
export const isSingleNeed = (kind: string): boolean => !SEVERAL_NEEDS.test(kind);

/**
 * Reads every folder of `dirs` with tools.jsonl and queries.jsonl. Also returns the tools of all these folders
 * together, including folders without queries.
 */
export function readSets(
  dirs: readonly string[],
  noWords: boolean,
  shipped?: WordsOf,
): { readonly sets: readonly DataSet[]; readonly together: readonly Tool[] } {
  const sets: DataSet[] = [];
  const together = new Map<string, Tool>();
  for (const dir of dirs) {
    if (!existsSync(dir)) throw new InputError(`${dir}: can't be read.`);
    const found = sets.length;
    const wordsIn = (...folders: string[]) => {
      const files = folders.map((folder) => join(folder, 'words.jsonl')).filter((file) => !noWords && existsSync(file));
      const words = readWords(files);
      return (tool: Tool) => words.get(tool.id) ?? shipped?.(tool);
    };
    for (const folder of readdirSync(dir).sort()) {
      if (!existsSync(join(dir, folder, 'tools.jsonl'))) continue;
      const tools = readTools(join(dir, folder, 'tools.jsonl'));
      for (const tool of tools) if (!together.has(tool.id)) together.set(tool.id, tool);
      if (!existsSync(join(dir, folder, 'queries.jsonl'))) continue;
      sets.push({
        name: `${basename(dir)}/${folder}`,
        tools,
        queries: readQueries(join(dir, folder, 'queries.jsonl')),
        wordsOf: wordsIn(dir, join(dir, folder)),
      });
    }
    if (sets.length === found) throw new InputError(`${dir}: no folder in it has tools.jsonl and queries.jsonl.`);
  }
  return { sets, together: [...together.values()] };
}

/** The queries of a set by kind, each kind under `folder/name:kind`. */
export function kindsOf({ name, queries }: DataSet): Map<string, Query[]> {
  const kinds = new Map<string, Query[]>();
  for (const query of queries)
    kinds.set(`${name}:${query.kind}`, [...(kinds.get(`${name}:${query.kind}`) ?? []), query]);
  return kinds;
}
