import { createChance } from '../../../soak/chance';

/** Random choices for models that do anything that their service allows. The same seed gives the same choices. */
export interface Chance {
  /** A whole number from 0 to `below` − 1. */
  readonly nat: (below: number) => number;
  readonly percent: (of: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** At most `most` different items. */
  readonly some: <Item>(items: readonly Item[], most: number) => readonly Item[];
  readonly id: (prefix: string) => string;
}

export function chanceOf(seed: number): Chance {
  const { next } = createChance(seed);
  const nat = (below: number) => Math.floor(next() * below);
  const pick = <Item>(items: readonly Item[]): Item => items[nat(items.length)] as Item;
  return {
    nat,
    percent: (of) => next() * 100 < of,
    pick,
    some: (items, most) =>
      [...new Set(Array.from({ length: nat(most + 1) }, () => pick(items)))].filter((it) => it !== undefined),
    id: (prefix) => `${prefix}_${Math.floor(next() * 1e12).toString(36)}`,
  };
}

/** Any JSON object of a request, an event or a block. */
// biome-ignore lint/suspicious/noExplicitAny: a double reads whatever was sent.
export type Wire = { readonly [key: string]: any };

/** A service's answer: a refusal in its words, or the events of a stream. */
export type Answer =
  | { readonly refused: string }
  | {
      readonly events: readonly Wire[];
      /** The blocks or items that the events stream. */
      readonly reply: readonly Wire[];
      readonly dropped: number;
    };

/** JSON without cache marks, which the model doesn't read. */
export const plain = (value: unknown): string =>
  JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part)) ?? '';

const QUERIES = ['does echo', 'whisper', 'nothing', 'list issue', 'page', 'board comment', 'query table'];

/** What a model sends to a tool. */
export function inputOf(name: string, chance: Chance): Wire {
  switch (name) {
    case 'search_tools':
      return { queries: [chance.pick(QUERIES)] };
    case 'describe_tool':
      return { names: ['math_echo'] };
    case 'call_tool':
      return { name: chance.pick(['math_echo', 'main_issue_0']), arguments: { x: `${chance.nat(99)}` } };
    default:
      return { x: `${chance.nat(99)}` };
  }
}

/** The same calls again and again, as of a model that goes through a list. Searches aren't repeated. */
export function manyMore<Item>(
  once: readonly Item[],
  { wide }: { readonly wide: boolean },
  chance: Chance,
): readonly Item[] {
  const first = once.find((item) => !/search_tools|describe_tool/.test(JSON.stringify(item)));
  return wide && first !== undefined && chance.percent(12)
    ? Array.from({ length: 8 + chance.nat(16) }, () => first)
    : [];
}
