/** The cost of input tokens with a provider's cache, in units of one fresh input token. */

import type { ModelPrices } from '../models/types';
import { type CacheUse, cacheable } from './promptCache';
import type { Segment } from './requestShape';
import { PARTS, type Part } from './roundTokens';
import type { RoundTokens } from './types';

/** Returns the cost of `total` input tokens. */
export function inputCost(
  total: number,
  { read, write }: CacheUse,
  rules: Pick<ModelPrices, 'read' | 'write'>,
): number {
  const fresh = Math.max(0, total - read - write);
  return Math.round(fresh + read * rules.read + write * rules.write);
}

/**
 * Divides the cost of a request among its kinds of tokens. The cache holds the beginning of a request, so the order of
 * its segments decides which of them were read, written or fresh. The parts add up to {@link inputCost}.
 * @param discovered ids of the discovered tools
 * @param guidance characters of our guidance, which is the end of the instructions
 */
export function costByPart(
  tokens: Pick<RoundTokens, Part | 'sent'>,
  request: {
    readonly segments: readonly Segment[];
    readonly discovered: ReadonlySet<string>;
    readonly guidance: number;
  },
  use: CacheUse,
  rules: Pick<ModelPrices, 'read' | 'write'>,
): { readonly [part in Part]: number } {
  const pieces = piecesOf(request);
  const charsOf = (part: Part) => pieces.reduce((sum, piece) => sum + (piece.part === part ? piece.chars : 0), 0);
  const place = pieces.findIndex(({ search }) => search) + 1 || pieces.length;
  const missing = PARTS.filter((part) => charsOf(part) === 0).map((part) => ({ part, chars: 1 }));
  const all: readonly RequestPiece[] = pieces.toSpliced(place, 0, ...missing);
  const perChar = new Map(PARTS.map((part) => [part, tokens[part].value / (charsOf(part) || 1)]));
  const cost = { promptAndHistory: 0, eager: 0, discovered: 0, searchOverhead: 0 };
  let start = 0;
  for (const { part, chars } of all) {
    const end = start + chars * (perChar.get(part) ?? 0);
    const read = overlap(start, end, 0, use.read);
    const write = overlap(start, end, use.read, use.read + use.write);
    cost[part] += end - start - read - write + read * rules.read + write * rules.write;
    start = end;
  }
  const [, ...others] = PARTS;
  for (const part of others) cost[part] = Math.round(cost[part]);
  const rest = others.reduce((sum, part) => sum - cost[part], inputCost(tokens.sent.value, use, rules));
  return { ...cost, promptAndHistory: rest };
}

interface RequestPiece {
  readonly part: Part;
  readonly chars: number;
  readonly search?: boolean | undefined;
}

function piecesOf({ segments, discovered, guidance }: Parameters<typeof costByPart>[1]): readonly RequestPiece[] {
  return segments.flatMap(({ kind, id, own, search, chars }): RequestPiece[] => {
    if (kind === 'history')
      return [{ part: id ? 'discovered' : search ? 'searchOverhead' : 'promptAndHistory', chars, search }];
    if (kind === 'tool')
      return [{ part: own ? 'searchOverhead' : discovered.has(id ?? '') ? 'discovered' : 'eager', chars }];
    const ours = Math.min(guidance, chars);
    return [
      { part: 'promptAndHistory', chars: chars - ours },
      { part: 'searchOverhead', chars: ours },
    ];
  });
}

function overlap(start: number, end: number, from: number, to: number): number {
  return Math.max(0, Math.min(end, to) - Math.max(start, from));
}

/**
 * Returns the provider's own report on its cache; undefined if there is none. If a provider charges for writing but
 * doesn't report it, all tokens that could be written count as written.
 */
export function reportedCacheUse(
  { sent, cacheRead, cacheWrite }: RoundTokens,
  rules: ModelPrices,
): CacheUse | undefined {
  if (cacheRead === undefined) return undefined;
  const write = cacheWrite ?? (rules.write === 1 ? 0 : Math.max(0, cacheable(sent.value, rules) - cacheRead));
  return { read: cacheRead, write };
}
