import type { Tool } from '../catalog/tool';
import { type DeliveryName, isNative, type ModelInfo } from '../ports';
import { l10n } from '../util/l10n';

/** Limits the deferred tools to the provider's maximum: discovered tools first, then others in the catalog's order. */
export function withinDeferredLimit(
  delivery: DeliveryName,
  deferred: readonly Tool[],
  discovered: ReadonlySet<string>,
  { native, name }: ModelInfo,
) {
  const max = isNative(delivery) ? (native?.maxDeferred ?? 0) : Number.POSITIVE_INFINITY;
  if (deferred.length <= max) return { tools: deferred };
  let room = max - deferred.filter((tool) => discovered.has(tool.id)).length;
  return {
    tools: deferred.filter((tool) => discovered.has(tool.id) || room-- > 0),
    leftOut: l10n.t(
      '{0} accepts at most {1} deferred tools in a request, but there are {2}. The last {3}, in the order of server and name, can’t be found. To search all of them, set toolsearch.delivery to local or bridge.',
      name,
      max,
      deferred.length,
      deferred.length - max,
    ),
  };
}
