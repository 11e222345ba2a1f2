import type { ResponseCreateParamsStreaming, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { ToolDefinition } from '../../core/catalog/tool';
import { ModelError, type ModelEvent, type ModelInfo, type ModelPort, type ModelRequest } from '../../core/ports';
import type { Capabilities } from '../capabilities';
import { untilAborted } from '../untilAborted';
import { untilSilent } from '../untilSilent';
import { Corrections } from './corrections';
import { type Asked, brokenOff, explain, failedResponse, failureOf, isFailure } from './errors';
import { MAX_ENTRIES } from './layout';
import { readReply } from './stream';

/** How one model is reached: `model` is its id at the service, `name` is for people, `baseUrl` ends in `/v1`. */
export interface OpenaiAccess extends Asked {
  readonly capabilities: Capabilities;
  /** Stands in for the network in tests and replays. */
  readonly fetch?: typeof fetch;
}

/** An input of one token, which every count holds and which is taken off again. */
const SHORTEST = '.';

/** A GPT model on the Responses API. */
export function createOpenaiPort(access: OpenaiAccess): ModelPort {
  return new OpenaiPort(access);
}

class OpenaiPort implements ModelPort {
  readonly #access: OpenaiAccess;
  #client: ReturnType<typeof import('./openaiClient').openaiClient> | undefined;
  readonly #corrections: Corrections;
  #shortest: Promise<number> | undefined;

  constructor(access: OpenaiAccess) {
    this.#access = access;
    this.#corrections = new Corrections(access);
  }

  get info(): ModelInfo {
    const { model, name, capabilities } = this.#access;
    return capabilities.describe('openai', { model, name, maxTools: MAX_ENTRIES });
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const own = follow(signal);
    try {
      const events = yield* this.#open(request, own.signal);
      if (events) yield* readReply(untilSilent(events, this.#access.name, own.abort), this.#access, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw isFailure(error) ? explain(failureOf(error, this.#access), this.#access) : error;
    } finally {
      own.stop();
    }
  }

  async countTokens(text: string, signal: AbortSignal): Promise<number> {
    const [whole, shortest] = await Promise.all([this.#count({ input: text }, signal), this.#countShortest(signal)]);
    return whole - shortest + 1;
  }

  /** As a request holds them once they are loaded: one count with them, less what any request holds. */
  async countDefinitions(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<number> {
    const body = this.#corrections.build({
      system: '',
      transcript: [],
      tools,
      delivery: 'local',
      strategy: '',
      deferred: [],
      required: [],
    });
    if (!body.tools) return 0;
    const [whole, shortest] = await Promise.all([this.#count({ input: SHORTEST, tools: body.tools }, signal), this.#countShortest(signal)]);
    return whole - shortest;
  }

  countRequest(request: ModelRequest, signal: AbortSignal): Promise<number> {
    const { input, instructions, tools, tool_choice } = this.#corrections.build(request);
    return this.#count({ input, instructions, tools, tool_choice }, signal);
  }

  /** Asked once: what any count holds beside its subject. */
  #countShortest(signal: AbortSignal): Promise<number> {
    this.#shortest ??= this.#count({ input: SHORTEST }, signal).catch((error: unknown) => {
      this.#shortest = undefined;
      throw error;
    });
    return this.#shortest;
  }

  async #count(
    body: Pick<ResponseCreateParamsStreaming, 'input' | 'instructions' | 'tools' | 'tool_choice'>,
    signal: AbortSignal,
  ): Promise<number> {
    const client = await this.#connect();
    const own = follow(signal);
    try {
      const counted = client.responses.inputTokens.count({ model: this.#access.model, ...body }, { signal: own.signal });
      return (await untilAborted(counted, own.signal)).input_tokens;
    } catch (error) {
      throw isFailure(error) ? explain(failureOf(error, this.#access), this.#access) : error;
    } finally {
      own.stop();
    }
  }

  /** Sends the request, again without what the service doesn't take of it. */
  async *#open(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, AsyncIterable<ResponseStreamEvent> | undefined> {
    for (;;) {
      const body = this.#corrections.build(request);
      try {
        const client = await this.#connect();
        const { data, response } = await untilAborted(client.responses.create(body, { signal }).withResponse(), signal);
        const type = response.headers.get('content-type') ?? '';
        if (type.includes('text/event-stream')) return untilBroken(data, this.#access);
        throw new ModelError(
          `${this.#access.baseUrl} doesn't answer as OpenAI's API does (it sent ${type || 'no type'}). Check toolsearch.openai.baseUrl.`,
        );
      } catch (error) {
        if (signal.aborted) return undefined;
        const warning = isFailure(error) ? this.#corrections.learn(failureOf(error, this.#access), request, body) : undefined;
        if (warning === undefined) throw error;
        if (warning) yield { type: 'warning', message: warning };
      }
    }
  }

  async #connect() {
    this.#client ??= (await import('./openaiClient')).openaiClient(this.#access);
    return this.#client;
  }
}

/** A signal for one request: the SDK never takes its listener off, and a turn's signal lives for many of them. */
function follow(signal: AbortSignal): { readonly signal: AbortSignal; readonly abort: () => void; stop(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return { signal: controller.signal, abort, stop: () => signal.removeEventListener('abort', abort) };
}

/** A stream whose connection may break: the SDK passes on whatever the network throws. */
async function* untilBroken(events: AsyncIterable<ResponseStreamEvent>, asked: Asked): AsyncGenerator<ResponseStreamEvent> {
  try {
    yield* events;
  } catch (error) {
    throw isFailure(error) ? failedResponse(failureOf(error, asked), asked) : brokenOff(asked.name);
  }
}
