import type { ResponseCreateParamsStreaming, ResponseStreamEvent, Tool } from 'openai/resources/responses/responses';
import type { ToolDefinition } from '../../core/catalog/tool';
import { EMPTY_REQUEST, type ModelEvent, type ModelInfo, type ModelPort, type ModelRequest } from '../../core/ports';
import { SERVICES } from '../../core/settings/modelServices';
import { isObject } from '../../core/util/objects';
import { untilAborted } from '../../core/util/signals';
import { MAX_REQUESTS, ReplyUsage, unfinished } from '../continuedReply';
import { countFailure, SharedCounts } from '../counting';
import { brokenOff, causeOf, type ErrorContext, explainError, failureOf, notTheService } from '../failures';
import type { ModelAccess } from '../modelAccess';
import { type CountingPort, withOwnSignals } from '../ownSignals';
import { type RetryOptions, withRetries } from '../retry';
import { serviceFetch } from '../serviceFetch';
import { Corrections } from './corrections';
import { MAX_ENTRIES } from './layout';
import { rejectedFunction } from './recognizeRefusal';
import { isItem, readReply, type StoredItem } from './stream';

// The port of GPT models: sends requests, corrects refused ones and streams the replies.

/**
 * If the service refuses a function while counting tokens, the count is repeated without it. At most this many
 * functions are left out.
 */
const MAX_REFUSED = 20;

type CountBody = Pick<ResponseCreateParamsStreaming, 'input' | 'instructions' | 'tools' | 'tool_choice'>;

/** The shortest input, one token. It is part of every count, and its tokens are subtracted afterwards. */
const SHORTEST = '.';

export function createOpenaiPort(access: ModelAccess): ModelPort {
  return withOwnSignals(new OpenaiPort(access));
}

class OpenaiPort implements CountingPort {
  readonly #access: ModelAccess;
  #client: ReturnType<typeof import('./openaiClient').createClient> | undefined;
  readonly #corrections: Corrections;
  readonly #shared = new SharedCounts();

  constructor(access: ModelAccess) {
    this.#access = access;
    this.#corrections = new Corrections(access);
  }

  get info(): ModelInfo {
    return this.#access.capabilities.describe('openai', this.#access, MAX_ENTRIES);
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) return;
    try {
      // The reply so far. It is sent back if its program has neither called a tool nor written text.
      let said: readonly StoredItem[] = [];
      const usage = new ReplyUsage();
      for (let requests = 0; requests < MAX_REQUESTS; requests++) {
        // The service sends the rest in another reply. If that reply fails, this usage is incomplete.
        if (usage.total) yield { type: 'usage', usage: usage.total, soFar: true };
        const events = untilBroken(yield* this.#open(request, said, signal), this.#access);
        const unsaid = yield* usage.with(readReply(events, this.#access, signal, said));
        if (!unsaid) return;
        said = unsaid;
      }
      yield { type: 'warning', message: unfinished(this.#access.name) };
    } catch (error) {
      if (signal.aborted) return;
      throw explainError(error, this.#access, SERVICES.openai);
    }
  }

  async countTokens(text: string, signal: AbortSignal): Promise<number> {
    const [whole, shortest] = await Promise.all([this.#count({ input: text }, signal), this.#countShortest(signal)]);
    return whole - shortest + 1;
  }

  /**
   * Counts definitions in the form of loaded tools: the count of a request with the tools, minus the count of a request
   * without them. If one request can't contain all tools, several requests are counted.
   */
  async countDefinitions(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<number> {
    const body = this.#corrections.build({ ...EMPTY_REQUEST, tools });
    if (!body.tools) return 0;
    const { tools: all } = body;
    const counts = Array.from({ length: Math.ceil(all.length / MAX_ENTRIES) }, (_, part) => {
      const some = all.slice(part * MAX_ENTRIES, (part + 1) * MAX_ENTRIES);
      return this.#count({ input: SHORTEST, tools: some }, signal);
    });
    const [shortest, ...wholes] = await Promise.all([this.#countShortest(signal), ...counts]);
    return wholes.reduce((sum, whole) => sum + whole - shortest, 0);
  }

  countRequest(request: ModelRequest, signal: AbortSignal): Promise<number> {
    const { input, instructions, tools, tool_choice } = this.#corrections.build(request, { code: false });
    return this.#count({ input, instructions, tools, tool_choice }, signal);
  }

  #countShortest(signal: AbortSignal): Promise<number> {
    return this.#shared.get('shortest', (own) => this.#count({ input: SHORTEST }, own), signal);
  }

  /** Requests a count. Functions that the service refuses are left out, so that all others are still counted. */
  async #count(body: CountBody, signal: AbortSignal): Promise<number> {
    let asked = body;
    for (let tries = 0; ; tries++) {
      try {
        const client = await this.#connect();
        signal.throwIfAborted();
        const counted = client.responses.inputTokens.count({ model: this.#access.model, ...asked }, { signal });
        return (await untilAborted(counted, signal)).input_tokens;
      } catch (error) {
        signal.throwIfAborted();
        const failure = failureOf(error);
        const refused = failure && rejectedFunction(failure, asked.tools ?? []);
        if (refused && tries < MAX_REFUSED) {
          asked = { ...asked, tools: withoutFunction(asked.tools ?? [], refused.name) };
          continue;
        }
        throw countFailure(error, this.#access, SERVICES.openai);
      }
    }
  }

  /** Sends a request. If the service refuses parts of it, sends the request again without them. */
  async *#open(
    request: ModelRequest,
    said: readonly StoredItem[],
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, AsyncIterable<ResponseStreamEvent>> {
    const client = await this.#connect();
    const { baseUrl } = this.#access;
    const asking: RetryOptions<ResponseCreateParamsStreaming, AsyncIterable<ResponseStreamEvent>> = {
      models: SERVICES.openai.models,
      build: () => {
        const body = this.#corrections.build(request);
        return said.length === 0
          ? body
          : ({ ...body, input: [...(body.input ?? []), ...said] } as ResponseCreateParamsStreaming);
      },
      send: async (body, own) => {
        const { data, response } = await client.responses.create(body, { signal: own }).withResponse();
        if (response.headers.get('content-type')?.includes('text/event-stream')) return data;
        throw notTheService(baseUrl, SERVICES.openai);
      },
      learn: (error, body) => {
        const failure = failureOf(error);
        return failure && this.#corrections.learn(failure, request, body);
      },
    };
    return yield* withRetries(asking, signal);
  }

  async #connect() {
    const fetch = serviceFetch(SERVICES.openai, this.#access);
    this.#client ??= (await import('./openaiClient')).createClient({ ...this.#access, fetch });
    return this.#client;
  }
}

/** Whether an event has the fields of its type. Incomplete events, which some gateways send, are skipped. */
function isReadable(event: unknown): boolean {
  if (!isObject(event)) return false;
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return typeof event.delta === 'string';
    case 'response.output_item.done':
      return isItem(event.item);
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return isObject(event.response);
  }
  return true;
}

function withoutFunction(tools: readonly Tool[], name: string): Tool[] {
  return tools.flatMap((tool): Tool[] => {
    if (tool.type !== 'namespace') return tool.type === 'function' && tool.name === name ? [] : [tool];
    const others = tool.tools.filter((inner) => inner.name !== name);
    return others.length > 0 ? [{ ...tool, tools: others }] : [];
  });
}

/**
 * Passes on a stream and checks its events. Throws if the connection is lost: the SDK throws network errors unchanged
 * and yields any JSON as an event.
 */
async function* untilBroken(
  events: AsyncIterable<ResponseStreamEvent>,
  asked: ErrorContext,
): AsyncGenerator<ResponseStreamEvent> {
  try {
    for await (const event of events) if (isReadable(event)) yield event;
  } catch (error) {
    throw causeOf(error) || failureOf(error) ? explainError(error, asked, SERVICES.openai) : brokenOff(asked.name);
  }
}
