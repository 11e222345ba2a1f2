// Runs the filters of other extensions on a round's tools, and protects the round from their errors.

import type { RoundInfo, ToolFilter } from '../../../tool-search';
import { boundSchema } from '../catalog/bounds';
import type { Tool } from '../catalog/tool';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { isObject } from '../util/objects';
import { visibleText } from '../util/plainText';
import { sameJson } from '../util/sameJson';
import type { NamedHooks } from './namedHooks';
import { offer } from './offer';
import { runOutside } from './outside';

/** The maximum length of a description, in characters. The same limit applies to servers' descriptions. */
const MAX_DESCRIPTION = 20_000;

/** A round's tools after the filters, by id: each unchanged or changed. Tools that a filter left out are missing. */
interface FilteredTools {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Names of the filters that answered. */
  readonly by: readonly string[];
  /** Ids of the tools that the filters changed. */
  readonly changed: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

/** Asks all filters. One that fails or hangs is skipped with a warning. Never rejects. */
export async function filterTools(
  filters: NamedHooks<ToolFilter>,
  all: readonly Tool[],
  round: RoundInfo,
  signal: AbortSignal,
): Promise<FilteredTools> {
  const warnings: string[] = [];
  const by: string[] = [];
  let kept = new Map(all.map((tool) => [tool.id, tool]));
  for (const [name, filter] of filters.all) {
    try {
      const { tools, unknown } = chosen(
        [...kept.values()],
        await runOutside((stopped) => filter([...kept.values()].map(offer), { ...round }, stopped), signal),
      );
      kept = tools;
      by.push(name);
      if (unknown.length > 0)
        warnings.push(
          l10n.t(
            'The tool filter “{0}” returned ids that are no tools of this turn: {1}.',
            name,
            unknown.slice(0, 5).join(', '),
          ),
        );
    } catch (error) {
      warnings.push(
        l10n.t(
          'The tool filter “{0}” failed ({1}). This turn uses the tools as they were before the filter.',
          name,
          messageOf(error),
        ),
      );
    }
  }
  const changed = new Set(all.filter((tool) => (kept.get(tool.id) ?? tool) !== tool).map(({ id }) => id));
  return { tools: kept, by, changed, warnings };
}

/**
 * Reads a filter's answer.
 * @throws {Error} if it isn't a list, or if it makes a tool invalid
 */
function chosen(
  tools: readonly Tool[],
  answer: unknown,
): { readonly tools: Map<string, Tool>; readonly unknown: readonly string[] } {
  if (!Array.isArray(answer)) throw new Error(l10n.t('it returned no list of tool ids'));
  const known = new Map(tools.map((tool) => [tool.id, tool]));
  const kept = new Map<string, Tool>();
  const unknown: string[] = [];
  for (const item of answer) {
    const change: { readonly [key: string]: unknown } = isObject(item) ? item : { id: item };
    const tool = known.get(String(change.id));
    if (tool) kept.set(tool.id, changedTool(tool, change));
    else unknown.push(String(change.id));
  }
  return { tools: kept, unknown };
}

/**
 * Applies a filter's change to a tool, within the limits that apply to servers' definitions.
 * @throws {Error} if the change isn't a description or an object schema
 */
function changedTool(tool: Tool, { description, inputSchema }: { readonly [key: string]: unknown }): Tool {
  if (description !== undefined && (typeof description !== 'string' || description.trim() === ''))
    throw new Error(l10n.t('it returned no text for {0}', tool.id));
  if (inputSchema !== undefined && (!isObject(inputSchema) || (inputSchema.type ?? 'object') !== 'object'))
    throw new Error(l10n.t('it returned no object schema for {0}', tool.id));
  const words = description === undefined ? tool.description : visibleText(description).slice(0, MAX_DESCRIPTION);
  const schema =
    inputSchema === undefined
      ? tool.inputSchema
      : { ...boundSchema(structuredClone(inputSchema)).schema, type: 'object' };
  const isSame = words === tool.description && (inputSchema === undefined || sameJson(schema, tool.inputSchema));
  return isSame ? tool : { ...tool, description: words, inputSchema: schema };
}
