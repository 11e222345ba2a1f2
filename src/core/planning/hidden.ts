// Finds the tools that the user hid, and removes them from conversations that already have them.

import type { Catalog } from '../catalog/catalog';
import { type Tool, toolId } from '../catalog/tool';
import { toolNamed } from '../code/toolNamed';
import type { ConversationPlan, SearchRecord, Transcript, TranscriptItem } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import { compileIdGlobs } from '../settings/glob';
import { type Pins, pinOf } from '../settings/pins';
import type { Settings } from '../settings/settings';
import { createMatcher, namedIn } from './toolPatterns';

/** The choices that hide tools: `toolsearch.hiddenTools`, pins `off` on tools or servers, a set without the tool. */
export interface HidingChoices {
  readonly settings: Pick<Settings, 'hiddenTools' | 'sets'>;
  readonly pins: Pins;
}

/** Returns the choice that hides a tool; undefined if none does. */
type HiddenBy = (tool: Pick<Tool, 'id' | 'server' | 'name' | 'origin'>) => 'setting' | 'pin' | 'set' | undefined;

/** Finds hidden tools: neither sent nor found nor called, whether the user's chat or another agent asks. */
export function hiddenBy({ settings: { hiddenTools, sets }, pins }: HidingChoices): HiddenBy {
  const chosen = chosenSet(sets, pins);
  const isInSet = chosen && compileIdGlobs(chosen);
  const named = namedIn(hiddenTools);
  return (tool) => {
    if (named(tool)) return 'setting';
    const own = pinOf(pins, { kind: 'tool', id: tool.id });
    const pin = own === 'auto' ? pinOf(pins, { kind: 'server', id: tool.server }) : own;
    if (pin === 'off') return 'pin';
    // VS Code's own tools are in every set.
    return isInSet && tool.origin === 'mcp' && !isInSet(tool.id) ? 'set' : undefined;
  };
}

/** Returns whether `toolsearch.scope` leaves a tool out, unless a setting or the question names it. */
export function isOutOfScope(tool: Pick<Tool, 'origin' | 'name'>, { scope }: Pick<Settings, 'scope'>): boolean {
  return isInner(tool) || (tool.origin === 'vscode' && scope === 'mcp');
}

/** Whether VS Code has a tool for its own chats alone, or to demonstrate its dialogs. */
export function isInner({ origin, name }: Pick<Tool, 'origin' | 'name'>): boolean {
  return origin === 'vscode' && INNER_TOOLS(name);
}

const INNER_TOOLS = createMatcher(['vscode_get_*confirmation*', 'inline_chat_exit', 'task_complete', '*_internal']);

/** Returns the chosen set's patterns; undefined for all tools. A missing set has none: no left-out tool may appear. */
function chosenSet(sets: Settings['sets'], { set }: Pick<Pins, 'set'>): readonly string[] | undefined {
  if (set === undefined) return undefined;
  return (Object.hasOwn(sets, set) ? sets[set] : undefined) ?? [];
}

/** Returns whether the chosen set isn't in the settings. */
export function isSetMissing({ settings: { sets }, pins: { set } }: HidingChoices): boolean {
  return set !== undefined && !Object.hasOwn(sets, set);
}

/** Returns a sentence for the model if the chosen set isn't in the settings; otherwise undefined. */
export function missingSetWords(choices: HidingChoices): string | undefined {
  return isSetMissing(choices)
    ? `The set of tools that the user chose, “${choices.pins.set}”, isn't in toolsearch.sets. Ask them to run “Tool Search: Select Set”.`
    : undefined;
}

/** Returns a sentence for the model on why this tool can't be called; undefined if the tool isn't hidden. */
export function hiddenWords(tool: Tool, choices: HidingChoices): string | undefined {
  const by = hiddenBy(choices)(tool);
  if (!by) return undefined;
  const pin = 'pinned off in Tool Search';
  const how = { pin, set: `not in the chosen set “${choices.pins.set}”`, setting: 'toolsearch.hiddenTools' }[by];
  const missing = by === 'set' ? missingSetWords(choices) : undefined;
  return `${tool.modelName} was not called: the user hid it (${how}). ${missing ?? 'Do without it.'}`;
}

/** Returns a sentence for the model if a hidden tool has this name; otherwise undefined. */
export function hiddenNamed(name: string, tools: readonly Tool[], choices: HidingChoices): string | undefined {
  const tool = toolNamed(name, tools.filter(hiddenBy(choices)));
  return tool && hiddenWords(tool, choices);
}

/**
 * Removes hidden tools from a conversation's search results and joined tools, so that no request declares or refers to
 * them. The text of earlier results stays. Does nothing for a model with `removesTools`, because a note at the
 * conversation's end removes hidden tools there. Returns the same objects if nothing is hidden.
 */
export function withoutHidden(
  transcript: Transcript,
  { model, ...choices }: HidingChoices & HasTools & { readonly model: Pick<ModelInfo, 'removesTools'> },
): Transcript {
  if (model.removesTools) return transcript;
  const isHidden = hiddenIn(choices);
  const kept = transcript.map((item) => withoutIds(item, isHidden));
  return kept.every((item, at) => item === transcript[at]) ? transcript : kept;
}

function withoutIds(item: TranscriptItem, isHidden: (id: string) => boolean): TranscriptItem {
  const shown = <Search extends SearchRecord>(search: Search): Search =>
    search.found.some(isHidden) || search.definitions?.some(({ id }) => isHidden(id))
      ? {
          ...search,
          found: search.found.filter((id) => !isHidden(id)),
          ...(search.definitions && { definitions: search.definitions.filter(({ id }) => !isHidden(id)) }),
        }
      : search;
  if (item.kind === 'user')
    return item.joined?.some(({ id }) => isHidden(id))
      ? { ...item, joined: item.joined.filter(({ id }) => !isHidden(id)) }
      : item;
  if (item.kind === 'assistant') {
    const searches = item.searches?.map(shown);
    return searches?.some((search, at) => search !== item.searches?.[at]) ? { ...item, searches } : item;
  }
  const results = item.results.map((result) => {
    const search = result.search && shown(result.search);
    const { loaded, ...rest } = result;
    if (loaded !== undefined && isHidden(loaded)) return { ...rest, ...(search && { search }) };
    return search === result.search ? result : { ...result, search };
  });
  return results.every((result, at) => result === item.results[at]) ? item : { ...item, results };
}

/** Whether a conversation's beginning has a hidden tool: its definition, or its name in a server's description. */
export function beganWithHidden({ base, names }: ConversationPlan, choices: HidingChoices & HasTools): boolean {
  const hides = hiddenBy(choices);
  const isHidden = hiddenIn(choices);
  const began = base ? [...base.tools, ...(base.found ?? [])] : [];
  return (
    began.some(({ id }) => isHidden(id)) ||
    Object.entries(names ?? {}).some(([server, own]) =>
      own.some((name) => {
        const id = toolId(server, name);
        return hides(choices.catalog.byId.get(id) ?? { id, server, name, origin: 'mcp' }) !== undefined;
      }),
    )
  );
}

interface HasTools {
  readonly catalog: Pick<Catalog, 'byId'>;
}

/** Returns whether a catalog's tool is hidden, by its id. */
function hiddenIn({ catalog, ...choices }: HidingChoices & HasTools): (id: string) => boolean {
  const hides = hiddenBy(choices);
  return (id) => {
    const tool = catalog.byId.get(id);
    return tool !== undefined && hides(tool) !== undefined;
  };
}
