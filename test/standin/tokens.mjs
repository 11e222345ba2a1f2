import { createHash } from 'node:crypto';

/** A deterministic count: four characters of what is in the context are a token. */
export function countTokens(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Math.ceil([...text].length / 4);
}

/**
 * What is cached of earlier requests. A context is a list of segments; its prefixes are cached by their content, so that
 * one byte changed anywhere before misses.
 */
export function createPrefixCache() {
  const known = new Set();
  return {
    /** Length, in segments, of the longest of the prefixes `ends` that is cached; remembers those in `writes`. */
    use(segments, ends, writes = ends) {
      const hash = createHash('sha256');
      const digests = new Map([[0, '']]);
      segments.forEach((segment, index) => {
        hash.update(JSON.stringify(segment)).update('\n');
        digests.set(index + 1, hash.copy().digest('hex'));
      });
      const hit = Math.max(0, ...ends.filter((end) => known.has(digests.get(end))));
      for (const end of writes) known.add(digests.get(end));
      return hit;
    },
  };
}

/** Tokens of the segments from `start` to before `end`. */
export function tokensOf(segments, start, end) {
  return segments.slice(start, end).reduce((sum, segment) => sum + countTokens(segment), 0);
}
