import type { ResponseCreateParamsStreaming, ResponseStreamEvent, Tool } from 'openai/resources/responses/responses';
import { shortHash } from '../../core/hash';
import { ModelError, type ModelEvent, type ModelInfo, type ModelPort, type ModelRequest } from '../../core/ports';
import type { ToolDefinition } from '../../core/tool';
import { type Capabilities, degradedSentence, nativeSearch, WITHOUT_SEARCH } from '../capabilities';
import {
  brokenOff,
  explain,
  type Failure,
  failedResponse,
  failureOf,
  isFailure,
  lacksEncryptedReasoning,
  lacksToolSearch,
  rejectedFunction,
} from './errors';
import { buildRequest } from './request';
import { readReply } from './stream';

export interface OpenaiOptions {
  readonly model: string;
  /** The model's name for people. */
  readonly name: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly capabilities: Capabilities;
  /** Stands in for the network in tests and replays. */
  readonly fetch?: typeof fetch;
}

/** The most tools at the top of a request ("Expected an array with maximum length 128"). */
const MAX_TOOLS = 128;

/** A GPT model on the Responses API. */
export function createOpenaiPort(options: OpenaiOptions): ModelPort {
  return new OpenaiPort(options);
}

class OpenaiPort implements ModelPort {
  readonly #options: OpenaiOptions;
  #client: ReturnType<typeof import('./openaiClient').openaiClient> | undefined;
  /** Functions whose schemas the service didn't take as strict ones, and those it didn't take at all; by {@link keyOf}. */
  readonly #loose = new Set<string>();
  readonly #rejected = new Set<string>();
  #encrypts: boolean;

  constructor(options: OpenaiOptions) {
    this.#options = options;
    this.#encrypts = reasons(options.model);
  }

  get info(): ModelInfo {
    const { model, name, capabilities } = this.#options;
    const capability = capabilities.of('openai', model);
    const native = nativeSearch(capability);
    const degraded = degradedSentence(name, capability);
    return {
      id: model,
      vendor: 'openai',
      name,
      maxInputTokens: capability.maxInputTokens,
      toolCalling: true,
      maxTools: MAX_TOOLS,
      ...(native ? { native } : {}),
      ...(degraded ? { degraded } : {}),
    };
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    try {
      const events = yield* this.#open(request, signal);
      if (events) yield* readReply(events, this.#options, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw isFailure(error) ? explain(failureOf(error), this.#options) : error;
    }
  }

  /** The model's own tokeniser is asked with a message around the text, which adds the same few tokens to each count. */
  async countTokens(text: string, signal: AbortSignal): Promise<number> {
    return this.#count({ input: text }, signal);
  }

  /** Definitions as a request would hold them, without deferral: one count with them, one without. */
  async countDefinitions(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<number> {
    const request = { system: '', transcript: [], tools, delivery: 'local', strategy: '', deferred: [], required: [] } as const;
    const { tools: wireTools } = this.#build(request);
    const [withTools, without] = await Promise.all([
      this.#count({ input: '.', tools: wireTools ?? [] }, signal),
      this.#count({ input: '.' }, signal),
    ]);
    return withTools - without;
  }

  async #count(
    body: { readonly input: string; readonly tools?: ResponseCreateParamsStreaming['tools'] },
    signal: AbortSignal,
  ): Promise<number> {
    const client = await this.#connect();
    const { input_tokens: tokens } = await client.responses.inputTokens.count({ model: this.#options.model, ...body }, { signal });
    return tokens;
  }

  /** Sends the request, again without what the service doesn't take of it. */
  async *#open(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, AsyncIterable<ResponseStreamEvent> | undefined> {
    for (;;) {
      const body = this.#build(request);
      try {
        const client = await this.#connect();
        const { data, response } = await client.responses.create(body, { signal }).withResponse();
        const type = response.headers.get('content-type') ?? '';
        if (type.includes('text/event-stream')) return untilBroken(data, this.#options.name);
        throw new ModelError(
          `${this.#options.baseUrl} doesn't answer as OpenAI's API does (it sent ${type || 'no type'}). Check toolsearch.openai.baseUrl.`,
        );
      } catch (error) {
        if (signal.aborted) return undefined;
        const warning = isFailure(error) ? this.#mend(failureOf(error), request, body) : undefined;
        if (warning === undefined) throw error;
        if (warning) yield { type: 'warning', message: warning };
      }
    }
  }

  #build(request: ModelRequest): ResponseCreateParamsStreaming {
    const kept = (tool: ToolDefinition) => !this.#rejected.has(keyOf(tool));
    const all = [...request.tools, ...request.deferred];
    const loose = new Set(this.#loose.size > 0 ? all.filter((tool) => this.#loose.has(keyOf(tool))).map((tool) => tool.name) : []);
    const sound =
      this.#rejected.size > 0 ? { ...request, tools: request.tools.filter(kept), deferred: request.deferred.filter(kept) } : request;
    return buildRequest(sound, { model: this.#options.model, reasoning: this.#encrypts, loose });
  }

  /**
   * Learns from a refusal. Returns what the user should know, '' for nothing, where the request is worth sending again;
   * undefined where it isn't.
   */
  #mend(failure: Failure, request: ModelRequest, body: ResponseCreateParamsStreaming): string | undefined {
    if (body.include && lacksEncryptedReasoning(failure)) {
      this.#encrypts = false;
      return '';
    }
    if (request.deferred.length > 0 && lacksToolSearch(failure)) {
      this.#options.capabilities.learn('openai', this.#options.model, WITHOUT_SEARCH);
      throw new ModelError(`${this.#options.name} has no tool search of its own.`, { replan: true });
    }
    const rejected = rejectedFunction(failure);
    const tool = rejected && [...request.tools, ...request.deferred].find(({ name }) => name === rejected.name);
    if (!rejected || !tool || this.#rejected.has(keyOf(tool))) return undefined;
    if (sentStrict(body.tools ?? [], tool.name)) {
      this.#loose.add(keyOf(tool));
      return '';
    }
    this.#rejected.add(keyOf(tool));
    return `OpenAI doesn't take the input schema of ${tool.id}, so the tool is left out: ${rejected.why}`;
  }

  async #connect() {
    this.#client ??= (await import('./openaiClient')).openaiClient(this.#options);
    return this.#client;
  }
}

/** A stream whose connection may break: the SDK passes on whatever the network throws. */
async function* untilBroken(events: AsyncIterable<ResponseStreamEvent>, name: string): AsyncGenerator<ResponseStreamEvent> {
  try {
    yield* events;
  } catch (error) {
    throw isFailure(error) ? failedResponse(failureOf(error), name) : brokenOff(name);
  }
}

/** A definition that was refused is known by its schema, so that a server can mend it. */
function keyOf(tool: ToolDefinition): string {
  return `${tool.name} ${shortHash(JSON.stringify(tool.inputSchema))}`;
}

function sentStrict(tools: readonly Tool[], name: string): boolean {
  return tools.some((tool) =>
    tool.type === 'namespace'
      ? sentStrict(tool.tools as readonly Tool[], name)
      : tool.type === 'function' && tool.name === name && tool.strict,
  );
}

/** Models that reason, by name; one that turns out not to is asked without. */
function reasons(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return /^(gpt-[5-9]|o\d)/.test(name) && !name.includes('chat');
}
