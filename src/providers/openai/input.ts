import type {
  ResponseFunctionCallOutputItemList,
  ResponseInputItem,
  ResponseInputMessageContentList,
  Tool,
} from 'openai/resources/responses/responses';
import { SEARCH_TOOLS, sanitize } from '../../core/catalog/modelNames';
import { resultText } from '../../core/conversation/resultText';
import type {
  AssistantItem,
  OpaqueBlock,
  ResultPart,
  ToolCall,
  ToolResult,
  Transcript,
  UserItem,
} from '../../core/conversation/transcript';
import { referable, transcriptFor } from '../../core/conversation/wireTranscript';
import type { ModelRequest } from '../../core/ports';
import { asObject, isObject } from '../../core/util/objects';
import { codeIds, playableCode } from '../codeReplay';
import { isShown } from '../shownParts';
import { callerOf, canAnswer, codeParts } from './code';
import { foundFunctions } from './foundTools';
import { isPlaceholder, type Layout } from './layout';
import { REPLAYED, type StoredItem } from './stream';

/** The replies that can be sent back as they came. */
export interface ReplayOptions {
  /** Only replies of this model. */
  readonly model: string;
  /** Whether replies with programs are; true if left out. */
  readonly replaysCode?: boolean;
  /** Whether replies with items of unknown kinds are; true if left out. */
  readonly replaysUnknown?: boolean;
}

/**
 * Returns the conversation as input of the Responses API. Replies by this model are sent back as they came, with
 * reasoning and namespaces; other replies are built from their text and calls. Searches list only tools of this
 * request. A search that the service itself didn't run is a call and an output with `execution: "client"`. The service
 * accepts such a pair in any request.
 */
export function inputItems(
  request: Pick<ModelRequest, 'transcript' | 'deferred' | 'delivery'>,
  layout: Layout,
  { model, replaysCode = true, replaysUnknown = true }: ReplayOptions,
): ResponseInputItem[] {
  const ours = request.delivery === 'client';
  const code = layout.code && replaysCode ? codeOf(request.transcript, layout, model) : new Set<string>();
  const transcript = transcriptFor(
    'openai',
    request.transcript,
    (block, item) =>
      (replaysUnknown || !itemsOf(block).some(isUnknown)) && playable(block, item, { layout, model, code }),
  );
  const items: ResponseInputItem[] = [];
  for (const [index, item] of transcript.entries()) {
    if (item.kind === 'user') items.push(...userItems(item, layout));
    if (item.kind !== 'assistant') continue;
    const next = transcript[index + 1];
    const results = next?.kind === 'results' ? next.results : [];
    const found = (callId: string) => searchOutput(callId, results, request, layout);
    const searches = new Set(
      layout.searching ? item.calls.filter((call) => call.name === SEARCH_TOOLS).map((call) => call.callId) : [],
    );
    const kept = item.opaque?.[0];
    items.push(...(kept ? keptItems(kept, layout, ours, found) : neutralItems(item, searches, layout, found)));
    const callers = new Map(
      itemsOf(kept).map((made) => [made.call_id, callerOf(made) === undefined ? undefined : made.caller]),
    );
    items.push(
      ...results
        .filter(({ callId }) => !searches.has(callId))
        .map((result) => callOutput(result, callers.get(result.callId))),
    );
  }
  return items;
}

/** Returns the items of a question, or of a note and the tools that it adds. */
function userItems(item: UserItem, layout: Layout): readonly ResponseInputItem[] {
  if (!item.note) return [{ role: 'user', content: userContent(item) }];
  const tools = layout.joined((item.joined ?? []).map(({ name }) => name));
  return [
    ...(item.text === '' ? [] : [{ role: 'developer' as const, content: item.text }]),
    ...(tools.length === 0
      ? []
      : [{ type: 'additional_tools' as const, role: 'developer' as const, tools: [...tools] }]),
  ];
}

/**
 * Whether a stored reply can be sent back as it came. The same model must have written it, this request must search in
 * the same way, and its calls must match the conversation, each with a result.
 * @param code the programs that can be sent back; if left out, programs aren't checked
 */
function playable(
  block: OpaqueBlock,
  { calls }: AssistantItem,
  { layout, model, code }: { readonly layout: Layout; readonly model: string; readonly code?: ReadonlySet<string> },
): boolean {
  const items = itemsOf(block);
  if (block.model !== model || items.length === 0) return false;
  if (code && !codeIds(codeParts(items, true)).every((id) => code.has(id))) return false;
  // A search can be sent back only if this request searches in the same way. Otherwise the search would have no result.
  if (items.some(layout.searching ? isSearchByName : isSearch)) return false;
  const ids = items.filter(
    (item) => item.type === 'function_call' || (item.type === 'tool_search_call' && item.execution === 'client'),
  );
  const paired = items.every(
    (item, index) => item.type !== 'tool_search_output' || items[index - 1]?.type === 'tool_search_call',
  );
  return paired && ids.length === calls.length && ids.every((item, index) => item.call_id === calls[index]?.callId);
}

/** Returns the ids of the programs that can be sent back as they came. */
function codeOf(transcript: Transcript, layout: Layout, model: string): ReadonlySet<string> {
  return playableCode(
    transcript,
    (item) => {
      const own = item.opaque?.find(({ wire }) => wire === 'openai');
      return own && codeParts(itemsOf(own), playable(own, item, { layout, model }));
    },
    (item) => canAnswer(item, (name) => layout.has(name)),
  );
}

function itemsOf(block: OpaqueBlock | undefined): readonly StoredItem[] {
  return Array.isArray(block?.value) ? block.value.filter(isObject) : [];
}

/** The kinds of input items that aren't part of replies. */
const OWN_KINDS = new Set(['function_call_output', 'additional_tools']);

/** Whether an item's kind is unknown, so probably newer than this extension. */
export function isUnknown({ type }: { readonly type?: unknown }): boolean {
  return typeof type === 'string' && !Object.hasOwn(REPLAYED, type) && !OWN_KINDS.has(type);
}

function isSearch(item: StoredItem): boolean {
  return item.type === 'tool_search_call';
}

/** Whether an item is a search made with our search tool as an ordinary function. */
function isSearchByName(item: StoredItem): boolean {
  return item.type === 'function_call' && item.name === SEARCH_TOOLS;
}

function neutralItems(
  item: AssistantItem,
  searches: ReadonlySet<string>,
  layout: Layout,
  found: (callId: string) => ResponseInputItem[],
): ResponseInputItem[] {
  const text: ResponseInputItem[] = item.text === '' ? [] : [{ role: 'assistant', content: item.text }];
  const calls = item.calls.flatMap((call): ResponseInputItem[] =>
    searches.has(call.callId) ? [searchCall(call), ...found(call.callId)] : [functionCall(call, layout)],
  );
  return [...text, ...calls];
}

function searchCall({ callId, input }: ToolCall): ResponseInputItem {
  return {
    type: 'tool_search_call',
    call_id: callId,
    execution: 'client',
    arguments: asObject(input) ?? {},
    status: 'completed',
  };
}

function functionCall({ callId, name, input }: ToolCall, layout: Layout): ResponseInputItem {
  const namespace = layout.namespaceOf(name);
  return {
    type: 'function_call',
    call_id: callId,
    // The model may have made up a name that the service refuses.
    name: sanitize(name) || '_',
    arguments: typeof input === 'string' ? input : (JSON.stringify(input) ?? '{}'),
    ...(namespace ? { namespace } : {}),
  };
}

/**
 * Returns the tools that our search found. Text about the search follows as a separate message, since the output can
 * only contain tools. If nothing was found, that message suggests what to try.
 */
function searchOutput(
  callId: string,
  results: readonly ToolResult[],
  { deferred }: Pick<ModelRequest, 'deferred'>,
  layout: Layout,
): ResponseInputItem[] {
  const result = results.find((candidate) => candidate.callId === callId);
  const tools = layout.loaded(referable(result?.search, deferred));
  const output: ResponseInputItem = {
    type: 'tool_search_output',
    call_id: callId,
    execution: 'client',
    status: 'completed',
    tools: [...tools],
  };
  const message = !result ? '' : tools.length === 0 ? searchMessage(result) : (result.remarks ?? '');
  return message ? [output, { role: 'developer', content: message }] : [output];
}

function searchMessage(result: ToolResult): string {
  const text = resultText(result);
  const message = asObject(text)?.message;
  return typeof message === 'string' ? message : result.outcome === 'ok' ? '' : text;
}

/**
 * Returns the items of a stored reply, changed to match the tools of this request.
 * @param ours whether the extension runs the searches of this request; the service's own earlier searches are then
 * marked as ours, since no document says that the service accepts them unchanged
 */
function keptItems(
  { value }: OpaqueBlock,
  layout: Layout,
  ours: boolean,
  found: (callId: string) => ResponseInputItem[],
): ResponseInputItem[] {
  let asked = '';
  return (value as readonly StoredItem[]).flatMap((item): ResponseInputItem[] => {
    switch (item.type) {
      case 'function_call': {
        // A program's calls have no namespace.
        if (callerOf(item) !== undefined) return [item as unknown as ResponseInputItem];
        const { namespace: before, ...rest } = item;
        const name = String(item.name);
        const namespace = layout.has(name) && !layout.hasJoined(name) ? layout.namespaceOf(name) : before;
        return [{ ...rest, ...(namespace ? { namespace } : {}) } as unknown as ResponseInputItem];
      }
      case 'tool_search_call': {
        const client = item.execution === 'client';
        asked = String((client ? item.call_id : item.id) ?? item.id ?? '');
        const call = {
          ...item,
          ...(ours ? { execution: 'client', call_id: asked } : {}),
        } as unknown as ResponseInputItem;
        return client ? [call, ...found(asked)] : [call];
      }
      case 'tool_search_output': {
        const tools = stillThere(item.tools, layout);
        return [
          { ...item, ...(ours ? { execution: 'client', call_id: asked } : {}), tools } as unknown as ResponseInputItem,
        ];
      }
      default:
        return [item as unknown as ResponseInputItem];
    }
  });
}

/**
 * Returns the tools that the service found, in its own form. If a tool has gone or changed its namespace, the output is
 * built again.
 */
function stillThere(tools: unknown, layout: Layout): readonly Tool[] {
  const listed = (Array.isArray(tools) ? tools : []) as readonly Tool[];
  const placed = foundFunctions(tools);
  const same = placed.every(({ name, namespace }) => isPlaceholder(name) || layout.namespaceOf(name) === namespace);
  return same ? listed : layout.loaded(placed.map(({ name }) => name));
}

/** @param caller the program that made the call, in the service's form; the program continues with the result */
function callOutput(result: ToolResult, caller: unknown): ResponseInputItem {
  const shown = caller === undefined && result.parts.some(isShown);
  return {
    type: 'function_call_output',
    call_id: result.callId,
    output: shown ? result.parts.map(outputPart) : resultText(result),
    ...(caller === undefined ? {} : { caller }),
  } as ResponseInputItem;
}

function userContent({ text, images = [] }: UserItem): string | ResponseInputMessageContentList {
  if (images.length === 0) return text;
  return [
    ...(text ? [{ type: 'input_text' as const, text }] : []),
    ...images.map(outputPart),
  ] as ResponseInputMessageContentList;
}

function outputPart(part: ResultPart): ResponseFunctionCallOutputItemList[number] {
  if (!isShown(part)) return { type: 'input_text', text: resultText({ parts: [part] }) };
  const url = `data:${part.mimeType};base64,${part.data}`;
  return part.type === 'image'
    ? { type: 'input_image', image_url: url, detail: 'auto' }
    : { type: 'input_file', filename: 'document.pdf', file_data: url };
}
