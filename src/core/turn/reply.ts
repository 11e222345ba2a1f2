// Collects a model's reply from its events.

import type { AssistantItem, OpaqueBlock, ToolCall } from '../conversation/transcript';
import type { ModelEvent, ProviderSearch, Usage } from '../ports';
import type { TokenCounter } from '../usage/tokenCounter';
import { l10n } from '../util/l10n';
import { isObject, isTooDeep, TOO_DEEP } from '../util/objects';
import { sameJson } from '../util/sameJson';
import { untilAborted } from '../util/signals';

export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly searches: readonly ProviderSearch[];
  readonly opaque: readonly OpaqueBlock[];
  readonly usage?: Usage;
  /** The usage that was reported before the reply's end, of the first reading of the request. */
  readonly firstUsage?: Usage;
  /** The reason why the provider could not reuse its cache, as the provider reports it. */
  readonly cacheMiss?: string;
  /** Whether the reply was cut off. `usage` is then the last usage that was reported, if any was. */
  readonly cut: boolean;
  /** The error that the model threw. The text before the error is kept. */
  readonly failure?: unknown;
}

/** Receives a reply while it arrives. */
interface ReplySink {
  text(delta: string): void;
  search(search: ProviderSearch): void;
  warning(message: string): void;
  waiting(models: string, seconds: number): void;
  code(event: Extract<ModelEvent, { type: 'code' | 'codeEnded' }>): void;
  thinking(delta: string): void;
}

/**
 * Collects a reply. Never rejects, and waits for nothing after it is cancelled. Only the first call with an id counts,
 * since results are matched by id. If another call with that id differs, the user is told, and the reply's own form
 * isn't kept, since it may contain the other call.
 * @param round is part of the ids made for calls without an id of their own
 */
export async function collectReply(
  events: AsyncIterable<ModelEvent>,
  sink: ReplySink,
  round: number,
  signal: AbortSignal,
): Promise<Reply> {
  let text = '';
  let usage: Usage | undefined;
  let firstUsage: Usage | undefined;
  let whole = false;
  let failure: unknown;
  let cacheMiss: string | undefined;
  const calls: ToolCall[] = [];
  const searches: ProviderSearch[] = [];
  const opaque: OpaqueBlock[] = [];
  let differ = false;
  try {
    for await (const event of heardUntil(signal, events)) {
      switch (event.type) {
        case 'text':
          text += event.text;
          sink.text(event.text);
          break;
        case 'call': {
          const call = callOf(event, `call_${round}_${calls.length}`);
          const known = calls.find(({ callId }) => callId === call.callId);
          if (known) differ ||= known.name !== call.name || !sameJson(known.input, call.input);
          else calls.push(call);
          break;
        }
        case 'search':
          searches.push(event.search);
          sink.search(event.search);
          break;
        case 'warning':
          sink.warning(event.message);
          break;
        case 'waiting':
          sink.waiting(event.models, event.seconds);
          break;
        case 'code':
        case 'codeEnded':
          sink.code(event);
          break;
        case 'thinking':
          sink.thinking(event.text);
          break;
        case 'cacheMiss':
          cacheMiss = event.reason;
          break;
        case 'opaque':
          if (!isTooDeep(event.block.value)) opaque.push(event.block);
          break;
        case 'restarted':
          calls.length = 0;
          break;
        case 'usage':
          if (event.soFar) firstUsage ??= event.usage;
          usage = event.usage;
          whole = event.soFar !== true;
          break;
      }
    }
  } catch (error) {
    failure = error;
  }
  if (differ) sink.warning(l10n.t('The model gave two of its calls the same id. Only the first of them runs.'));
  // A reply without any usage counts as complete unless it failed or was cancelled.
  const cut = !whole && (usage !== undefined || failure !== undefined || signal.aborted);
  return { text, calls, searches, opaque: differ ? [] : opaque, cut, usage, firstUsage, cacheMiss, failure };
}

/** Returns a call in the form in which it is kept. A service may send any JSON, of any depth. */
function callOf({ type: _, ...call }: Extract<ModelEvent, { type: 'call' }>, id: string): ToolCall {
  const input = isTooDeep(call.input) ? TOO_DEEP : call.input;
  return { ...call, callId: String(call.callId ?? '') || id, name: String(call.name), input };
}

/** Returns a reply as a transcript item. `idOf` turns model names into ids. Names without a tool are left out. */
export function assistantItem(reply: Reply, idOf: (modelName: string) => string | undefined): AssistantItem {
  const searches = reply.searches.map(({ callId, queries, strategy, found }) => ({
    callId,
    queries,
    strategy,
    found: found.map(idOf).filter((id): id is string => id !== undefined),
  }));
  return {
    kind: 'assistant',
    text: reply.text,
    calls: reply.calls,
    ...(searches.length > 0 ? { searches } : {}),
    ...(reply.opaque.length > 0 ? { opaque: reply.opaque } : {}),
  };
}

/**
 * Estimates the tokens of a reply's thinking if it is bound to the conversation: the reply's tokens without its other
 * blocks. No service counts such thinking in a conversation that was never sent.
 */
export function boundThinking(
  { opaque, usage, cut }: Reply,
  counter: TokenCounter,
): Pick<AssistantItem, 'boundThinking'> {
  const bound = opaque.filter(({ after }) => after);
  const blocks = bound.flatMap(({ value }) => (Array.isArray(value) ? value : [])).filter(isObject);
  const isThinking = ({ type }: { readonly type?: unknown }) => String(type).includes('thinking');
  if (cut || !usage || !blocks.some(isThinking)) return {};
  const others = blocks.filter((block) => !isThinking(block));
  const tokens = usage.outputTokens - counter.estimate(JSON.stringify(others).length, 'history').value;
  return tokens > 0 ? { boundThinking: tokens } : {};
}

/** Yields the events until the signal aborts, whether the model stops then or not. */
async function* heardUntil(signal: AbortSignal, events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const step = await untilAborted(iterator.next(), signal);
      if (step.done || signal.aborted) return;
      yield step.value;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    // Not awaited, since a generator that hangs would never return. Its errors no longer matter.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
