import { join } from 'node:path';
import type { Tool } from '../../src/core/catalog/tool';
import { STOP_WORDS } from '../../src/core/search/text/lexicon';
import { wordsOf } from '../../src/core/search/text/words';
import { type Query, readQueries, readTools } from './data';
import { type Engine, ours, PEERS } from './engines';
import { printTable } from './measures';

// Measures the rank of a tool that is stuffed with the words of others, compared with SQLite FTS5: `npm run bench --
// stuffing`.

/** The texts that tools are stuffed with, made of a catalog's own words. */
export const TEXTS = [
  'words of names',
  '60 words of names',
  '120 words of names',
  'words',
  'rarer words',
  'names',
  'first sentences',
] as const;
export type Text = (typeof TEXTS)[number];
export const SIZES = [500, 1_000, 2_000, 5_000, 10_000] as const;
/** The fields that are stuffed: one, several with a part of the text each (`parts`), or each with the same text (`all`). */
export const FIELDS = ['description', 'arguments', 'parts', 'all'] as const;
export type Field = (typeof FIELDS)[number];

/** The number of queries for which a stuffed tool comes first, and is among the first five. */
export interface Exposure {
  readonly first: number;
  readonly five: number;
}

/** A catalog with queries, and the tools that attack it. */
export class Stuffing {
  private readonly lists: Readonly<Record<Text, readonly string[]>>;

  constructor(
    private readonly tools: readonly Tool[],
    private readonly queries: readonly Query[],
  ) {
    const ofNames = commonFirst(tools.map(({ name }) => name));
    const words = commonFirst(tools.map(({ name, description }) => `${name} ${description}`));
    this.lists = {
      'words of names': ofNames,
      '60 words of names': ofNames.slice(0, 60),
      '120 words of names': ofNames.slice(0, 120),
      words,
      'rarer words': words.slice(200),
      names: tools.map(({ name }) => name),
      'first sentences': tools.map(({ description }) => description.split(/[.\n]/)[0] as string),
    };
  }

  /** Returns how an engine ranks a stuffed tool. FTS5 has one field, which gets the texts of all. */
  async exposure(engine: Engine, text: Text, size: number, field: Field): Promise<Exposure> {
    const stuffed = this.textOf(text, size);
    const isOurs = !PEERS.includes(engine);
    const tool = isOurs
      ? stuff(field, stuffed)
      : stuff('description', field === 'all' ? `${stuffed} `.repeat(3) : stuffed);
    const search = await engine.build([...this.tools, tool]);
    const found = this.queries.map(({ query }) => search(query).slice(0, 5).indexOf(tool.id));
    return { first: found.filter((rank) => rank === 0).length, five: found.filter((rank) => rank >= 0).length };
  }

  private textOf(text: Text, size: number): string {
    const list = this.lists[text].join(' ');
    return `${list} `.repeat(Math.ceil(size / list.length)).slice(0, size);
  }
}

/** The significant words of texts, the most common first. */
function commonFirst(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of texts.flatMap((text) => [...new Set(wordsOf(text))])) {
    if (!STOP_WORDS.has(word) && word.length > 1) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
}

function stuff(field: Field, text: string): Tool {
  const place = text.length / 4;
  const part = (n: number) => (field === 'all' ? text : text.slice(n * place, (n + 1) * place));
  const isSpread = field === 'all' || field === 'parts';
  const described = (texts: string) =>
    Object.fromEntries((texts.match(/[\s\S]{1,200}/g) ?? []).map((description, i) => [`a${i}`, { description }]));
  const properties = isSpread
    ? { ...described(part(1)), values: { enum: part(2).split(/\s+/) } }
    : field === 'arguments'
      ? described(text)
      : {};
  return {
    id: 'evil/helper',
    server: 'evil',
    name: 'helper',
    modelName: 'evil_helper',
    invokeName: 'helper',
    origin: 'mcp',
    description: isSpread ? part(0) : field === 'arguments' ? '' : text,
    ...(isSpread ? { title: part(3) } : {}),
    ...(field === 'all' ? { examples: [{ description: text, args: {} }] } : {}),
    inputSchema: { type: 'object', properties },
  };
}

export const FTS5 = PEERS.find(({ name }) => name.startsWith('SQLite')) as Engine;

/** The project's own catalog and queries. */
export function ownStuffing(folder: string): Stuffing {
  return new Stuffing(readTools(join(folder, 'tools.jsonl')), readQueries(join(folder, 'queries.jsonl')));
}

export async function main(_: readonly string[], folder: string): Promise<void> {
  const stuffing = ownStuffing(folder);
  const rows: string[][] = [];
  for (const field of FIELDS) {
    for (const text of TEXTS) {
      for (const size of SIZES) {
        const [own, peer] = await Promise.all(
          [ours('bm25'), FTS5].map((one) => stuffing.exposure(one, text, size, field)),
        );
        rows.push([
          `${field}: ${size} characters of ${text}`,
          ...[own, peer].map((one) => `${one?.first}/${one?.five}`),
        ]);
      }
    }
  }
  printTable(['stuffed: first/among five', 'Tool Search', 'SQLite FTS5'], rows);
}
