import type Anthropic from '@anthropic-ai/sdk';
import type { Json, ToolDefinition } from '../../core/catalog/tool';
import type { OpaqueBlock } from '../../core/conversation/transcript';
import type { ModelEvent, ModelInfo, ModelPort, ModelRequest } from '../../core/ports';
import { SERVICES } from '../../core/settings/modelServices';
import { l10n } from '../../core/util/l10n';
import { untilAborted } from '../../core/util/signals';
import { MAX_REQUESTS, ReplyUsage } from '../continuedReply';
import { countFailure } from '../counting';
import { brokenOff, explainError, notTheService } from '../failures';
import type { ModelAccess } from '../modelAccess';
import { type CountingPort, withOwnSignals } from '../ownSignals';
import { Refusals } from '../refusals';
import { type RetryOptions, withRetries } from '../retry';
import { serviceFetch } from '../serviceFetch';
import { correct, isThinkingRefused, refusedKind } from './corrections';
import { AnthropicCounter } from './counter';
import { type RequestOptions, toRequest, type WireRequest } from './request';
import { type Block, blocksOf } from './storedBlocks';
import { type AskedSearch, askedSearch, readStream, stopWarning } from './stream';

// The port of Anthropic's models: sends requests, corrects refused ones and streams the replies.

/**
 * A reply in progress. The service can pause a reply, so several requests may be needed for it. `content` has the parts
 * received so far.
 */
interface Underway {
  readonly content: Block[];
  container: string | undefined;
  /** Whether the next request leaves out earlier thinking, since the service refused it. */
  withoutThinking: boolean;
  /** A hash of everything before the reply. The reply's thinking is valid only after the same prefix. */
  after: OpaqueBlock['after'];
}

export function createAnthropicPort(access: ModelAccess): ModelPort {
  return withOwnSignals(new AnthropicPort(access));
}

class AnthropicPort implements CountingPort {
  readonly #access: ModelAccess;
  readonly #refusals = new Refusals();
  readonly #refusedKinds = new Set<string>();
  /** The ids of code containers that the service no longer has. */
  readonly #lost = new Set<string>();
  #client: Promise<Anthropic> | undefined;
  readonly #counter = new AnthropicCounter(async (body, signal) => {
    const client = await this.#connect();
    signal.throwIfAborted();
    const { betas = [], ...counted } = body;
    const options = { signal, ...headersFor(betas) };
    return (await untilAborted(client.messages.countTokens({ model: this.#access.model, ...counted }, options), signal))
      .input_tokens;
  });

  constructor(access: ModelAccess) {
    this.#access = access;
  }

  get info(): ModelInfo {
    return this.#access.capabilities.describe('anthropic', this.#access, Number.POSITIVE_INFINITY);
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { model, name } = this.#access;
    const reply: Underway = { content: [], container: undefined, withoutThinking: false, after: undefined };
    const asked = openSearches(request);
    const usage = new ReplyUsage();
    if (signal.aborted) return;
    try {
      for (let requests = 1; ; requests++) {
        const events = yield* this.#open(request, reply, signal);
        const end = yield* usage.with(readStream(events, asked));
        if (!end.whole) throw brokenOff(name);
        reply.content.push(...end.content);
        reply.container = end.container ?? reply.container;
        if (end.dropped > 0) {
          yield { type: 'warning', message: LOST_THINKING(name) };
          // The service ignored the earlier thinking. The next request is sent without any earlier thinking.
          if (reply.after) reply.after = { ...reply.after, kept: 0 };
        }
        if (end.stopReason === 'pause_turn' && requests < MAX_REQUESTS) {
          // The service sends the rest in another reply. If that reply fails, this usage is incomplete.
          if (usage.total) yield { type: 'usage', usage: usage.total, soFar: true };
          continue;
        }
        if (reply.content.length > 0) yield { type: 'opaque', block: opaqueBlock(reply, model, end.messageId) };
        const message = stopWarning(end.stopReason, name);
        if (message !== undefined) yield { type: 'warning', message };
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      throw explainError(error, this.#access, SERVICES.anthropic);
    }
  }

  /** Sends a request. If the service refuses parts of it, sends the request again without them. */
  async *#open(
    request: ModelRequest,
    underway: Underway,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, AsyncIterable<unknown>> {
    const { name, baseUrl } = this.#access;
    const client = await this.#connect();
    const asking: RetryOptions<WireRequest, AsyncIterable<unknown>> = {
      models: SERVICES.anthropic.models,
      build: () => this.#toRequest(request, underway),
      send: async ({ body, betas }, own) => {
        const { data, response } = await client.messages
          .create(body, { signal: own, ...headersFor(betas) })
          .withResponse();
        if (!response.headers.get('content-type')?.includes('event-stream'))
          throw notTheService(baseUrl, SERVICES.anthropic);
        return data;
      },
      learn: (error, { body }) => {
        if (isThinkingRefused(error) && !underway.withoutThinking) {
          underway.withoutThinking = true;
          return LOST_THINKING(name);
        }
        const kind = refusedKind(error);
        if (kind !== undefined && !this.#refusedKinds.has(kind)) {
          this.#refusedKinds.add(kind);
          return '';
        }
        return correct(error, { ...this.#access, sent: body, request, refusals: this.#refusals, lost: this.#lost });
      },
    };
    return yield* withRetries(asking, signal);
  }

  #toRequest(request: ModelRequest, underway: Underway): WireRequest {
    const sent = toRequest(request, { ...this.#options(), withoutThinking: underway.withoutThinking });
    underway.after = sent.after;
    const { content, container } = underway;
    if (content.length === 0) return sent;
    const messages = [...sent.body.messages, { role: 'assistant', content }];
    const body = { ...sent.body, ...(container ? { container } : {}), messages } as WireRequest['body'];
    return { ...sent, body };
  }

  #options(): RequestOptions {
    const { model, capabilities } = this.#access;
    return {
      model,
      capability: capabilities.of('anthropic', model),
      refusals: this.#refusals,
      refusedKinds: this.#refusedKinds,
      lost: (id) => this.#lost.has(id),
    };
  }

  countTokens(text: string, signal: AbortSignal): Promise<number> {
    return this.#explained(this.#counter.text(text, signal), signal);
  }

  countDefinitions(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<number> {
    return this.#explained(this.#counter.definitions(this.#refusals.kept(tools), signal), signal);
  }

  countToolPrompt(signal: AbortSignal): Promise<number> {
    return this.#counter.toolPrompt(signal);
  }

  countRequest(request: ModelRequest, signal: AbortSignal): Promise<number> {
    return this.#explained(this.#counter.request(request, this.#options(), signal), signal);
  }

  async #explained(count: Promise<number>, signal: AbortSignal): Promise<number> {
    try {
      return await count;
    } catch (error) {
      signal.throwIfAborted();
      throw countFailure(error, this.#access, SERVICES.anthropic);
    }
  }

  #connect(): Promise<Anthropic> {
    const fetch = serviceFetch(SERVICES.anthropic, this.#access);
    this.#client ??= import('./anthropicClient').then(({ createClient }) => createClient({ ...this.#access, fetch }));
    return this.#client;
  }
}

function headersFor(betas: readonly string[]) {
  return betas.length > 0 ? { headers: { 'anthropic-beta': betas.join(',') } } : {};
}

const LOST_THINKING = (name: string) =>
  l10n.t('An earlier part of this conversation has changed, so {0} continues without its earlier thinking.', name);

/**
 * Returns the searches in earlier replies, by id. A reply may begin with the result of a search in the reply before.
 */
function openSearches(request: ModelRequest): Map<string, AskedSearch> {
  const blocks = request.transcript.flatMap((item) =>
    item.kind === 'assistant' ? (item.opaque ?? []).flatMap((own) => blocksOf(own.value)) : [],
  );
  return new Map(
    blocks.filter((block) => block.type === 'server_tool_use').map((block) => [String(block.id), askedSearch(block)]),
  );
}

/** Returns a whole reply in the form in which it is sent back. */
function opaqueBlock({ content, container, after }: Underway, model: string, id: string | undefined): OpaqueBlock {
  return {
    wire: 'anthropic',
    model,
    value: content as readonly Json[],
    ...(id === undefined ? {} : { id }),
    ...(container ? { container } : {}),
    ...(after ? { after } : {}),
  };
}
