import { createHash } from 'node:crypto';

const isText = (part) => typeof part === 'string';
const hashOf = (value) =>
  createHash('sha256')
    .update(JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part)) ?? '')
    .digest('hex');

/**
 * The services' reports on cache misses. A request is compared with the one that an earlier reply answered. Parts are
 * compared in their order, and a list may only have grown.
 */
export function createDiagnostics() {
  /** The id of a reply → hashes of its request, by part. */
  const known = new Map();
  return {
    /**
     * Keeps a request under the id of its reply, and returns the first part in which it differs from the request of the
     * reply `before`.
     */
    compare(id, parts, before) {
      const hashes = Object.entries(parts).map(([name, part]) => [
        name,
        Array.isArray(part) ? part.map(hashOf) : hashOf(part),
      ]);
      known.set(id, hashes);
      if (before === undefined || before === null) return undefined;
      const earlier = new Map(known.get(before));
      if (earlier.size === 0) return 'not_found';
      const changed = hashes.find(([name, now]) => {
        const was = earlier.get(name);
        return isText(now) || isText(was) ? was !== now : was.some((hash, index) => hash !== now[index]);
      });
      return changed?.[0] ?? 'none';
    },
  };
}
