import { boundSchema } from '../../../core/catalog/bounds';
import { type ToolAnnotations, toolId, type UnnamedTool } from '../../../core/catalog/tool';
import { readExamples } from '../../../core/settings/toolExamples';
import { l10n } from '../../../core/util/l10n';
import { isObject, isTooDeep } from '../../../core/util/objects';
import { sameJson } from '../../../core/util/sameJson';
import { loadingHint } from '../../loadingHint';
import { boundName, readTools } from '../../toolList';
import type { ListedTool } from '../../toolOrigin';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** Converts a server's list of tools. Unusable entries are left out, each with a sentence on the problem. */
export function readServerTools(
  server: string,
  listed: readonly unknown[],
  alwaysLoad: boolean,
): { readonly tools: readonly UnnamedTool[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const byName = new Map<string, { readonly raw: unknown; readonly listed: ListedTool }>();
  for (const [index, item] of listed.entries()) {
    if (!isObject(item) || typeof item.name !== 'string' || item.name === '') {
      problems.push(l10n.t('Tool {0} has no name. It is left out.', index + 1));
      continue;
    }
    const twin = byName.get(item.name);
    if (twin) {
      // An identical second entry isn't a problem. Pages may repeat entries.
      const name = boundName(item.name);
      if (isTooDeep(item) || !sameJson(twin.raw, item))
        problems.push(
          l10n.t('Two of its tools are called {0}. Only the first can be called, so the other is left out.', name),
        );
      continue;
    }
    byName.set(item.name, { raw: item, listed: toListed(server, item, item.name) });
  }
  const all = [...byName.values()].map((tool) => tool.listed);
  const read = readTools(all, [{ name: server, alwaysLoad, source: '' }]);
  return { tools: read.tools, problems: [...problems, ...(read.problems.get(server) ?? [])] };
}

function toListed(server: string, item: { readonly [key: string]: unknown }, name: string): ListedTool {
  const meta = isObject(item._meta) ? item._meta : {};
  const annotations = isObject(item.annotations) ? item.annotations : {};
  const hints = Object.fromEntries(
    HINTS.flatMap((key) => (typeof annotations[key] === 'boolean' ? [[key, annotations[key]]] : [])),
  );
  const title = typeof item.title === 'string' ? item.title : annotations.title;
  const examples = readExamples(meta.examples ?? meta['anthropic/examples'] ?? meta.input_examples);
  return {
    name: toolId(server, name),
    description: typeof item.description === 'string' ? item.description : undefined,
    inputSchema: item.inputSchema as object | undefined,
    tags: ['mcp'],
    ...loadingHint(meta),
    own: {
      server,
      name,
      ...(typeof title === 'string' && title !== '' ? { title } : {}),
      ...(isObject(item.outputSchema) ? { outputSchema: boundSchema(item.outputSchema).schema } : {}),
      ...(Object.keys(hints).length > 0 ? { annotations: hints as ToolAnnotations } : {}),
    },
    ...(examples.length > 0 ? { examples } : {}),
  };
}
