import { asObject } from '../core/util/objects';
import type { ListedTool } from './toolOrigin';

/**
 * Reads from `_meta` whether a tool asks to be in every request (`alwaysLoad`) or to be deferred (`defer_loading:
 * true`). A tool with a user interface (MCP Apps) that says neither is in every request: VS Code shows the interface
 * only if the chat calls the tool itself, not through `call_tool`.
 */
export function loadingHint(meta: { readonly [key: string]: unknown } = {}): Pick<ListedTool, 'alwaysLoad'> {
  const wish = meta['anthropic/alwaysLoad'] ?? meta.alwaysLoad;
  if (typeof wish === 'boolean') return { alwaysLoad: wish };
  if (meta.defer_loading === true) return { alwaysLoad: false };
  const address = asObject(meta.ui)?.resourceUri ?? meta['ui/resourceUri'];
  return typeof address === 'string' && address.startsWith('ui://') ? { alwaysLoad: true } : {};
}
