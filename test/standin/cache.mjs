import { createHash } from 'node:crypto';
import { countTokens } from './tokens.mjs';

/**
 * The services' prompt caches, as documented in November 2026. The beginning of a request is read from the cache if it
 * equals that of an earlier request to the same model byte for byte, is long enough and was used recently. Chats share
 * the cache. This code is independent of the product's own model of these caches, which is tested against it.
 */
const MINUTES = 60_000;
const LOOK_BACK = 20;
const STEP = 128;

/** Minimum number of tokens that a Claude model caches. */
function claudeMinimum(model) {
  if (/opus-4-[56]|haiku-4-5/.test(model)) return 4096;
  return /sonnet-4-6/.test(model) ? 2048 : 1024;
}

/** @param {() => number} now milliseconds */
export function createPromptCache(now) {
  /** Digest of a model and a beginning → the time until which it is kept. */
  const kept = new Map();
  const isKept = (digest) => (kept.get(digest) ?? -1) >= now();

  return {
    /**
     * Caches as Claude does: at the marks of a request. Looks for cached beginnings up to twenty blocks before each
     * mark.
     * @returns {{read: number, write: number}} tokens
     */
    marked(model, segments, marks) {
      const digests = digestsOf(model, segments);
      const tokens = sums(segments);
      const enough = (end) => tokens[end] >= claudeMinimum(model);
      let hit = 0;
      for (const mark of marks)
        for (let end = mark; end > 0 && mark - end < LOOK_BACK; end--)
          if (enough(end) && isKept(digests[end])) hit = Math.max(hit, end);
      const written = Math.max(hit, ...marks.filter(enough));
      for (const mark of marks.filter((end) => enough(end) && end <= written))
        kept.set(digests[mark], now() + 5 * MINUTES);
      if (hit > 0) kept.set(digests[hit], now() + 5 * MINUTES);
      return { read: tokens[hit], write: tokens[written] - tokens[hit] };
    },

    /**
     * Caches as GPT does: every beginning that is long enough, in steps. With `ends`, a request caches only up to these
     * segments.
     * @param chat the cache key of a request, which finds only entries of requests with the same key
     */
    stepped(model, segments, { chat = '', ends } = {}) {
      const digests = digestsOf(`${model} ${chat}`, segments);
      const tokens = sums(segments);
      const late = /gpt-5\.[6-9]|gpt-[6-9]/.test(model);
      const inSteps = (count) => (count < 1024 ? 0 : Math.floor(count / STEP) * STEP);
      const hit = digests.findLastIndex((digest, end) => end > 0 && isKept(digest));
      const read = inSteps(tokens[Math.max(0, hit)]);
      const written = digests.filter((_, end) => ends?.includes(end) ?? true);
      for (const digest of written) kept.set(digest, now() + (late ? 30 : 5) * MINUTES);
      const whole = inSteps(tokens[ends ? (ends.at(-1) ?? 0) : segments.length]);
      return { read, write: late ? Math.max(0, whole - read) : undefined, whole };
    },
  };
}

/** The digest of each beginning: of no segment, of the first, of the first two … */
function digestsOf(model, segments) {
  const hash = createHash('sha256').update(model);
  return [0, ...segments].map((segment, index) => {
    if (index > 0) hash.update(JSON.stringify(segment)).update('\n');
    return hash.copy().digest('hex');
  });
}

/** The tokens of each beginning. */
function sums(segments) {
  const totals = [0];
  for (const segment of segments) totals.push(totals.at(-1) + countTokens(segment));
  return totals;
}
