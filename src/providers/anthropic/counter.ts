import type Anthropic from '@anthropic-ai/sdk';
import type { ToolDefinition } from '../../core/catalog/tool';
import type { ModelRequest } from '../../core/ports';
import { SharedCounts } from '../counting';
import { failureOf } from '../failures';
import { refusesRequest } from '../refusals';
import { refusedAt } from './corrections';
import { customTool, type RequestOptions, toCountRequest } from './request';

type CountBody = Omit<Anthropic.MessageCountTokensParams, 'model'> & { readonly betas?: readonly string[] };

/** The shortest message. It is part of every count, and its tokens are subtracted afterwards. */
const SHORTEST: CountBody = { messages: [{ role: 'user', content: '.' }] };
/**
 * Two minimal tools. Each count contains one of them, because the service adds a prompt of its own as soon as a request
 * has a tool.
 */
const SMALLEST = ['x', 'y'].map((name) => customTool({ id: name, server: '', name, description: '', inputSchema: {} }));
/** If the service refuses a tool, it is counted without it. At most this many tools are left out. */
const MAX_REFUSED = 20;

/**
 * Counts tokens with Anthropic's own counter. To count a text or a definition alone, it subtracts the count of a
 * minimal request, which is requested once.
 */
export class AnthropicCounter {
  readonly #count: (body: CountBody, signal: AbortSignal) => Promise<number>;
  readonly #shared = new SharedCounts();
  /** Whether the service refused to count a request with only deferred tools. */
  #refusesDeferred = false;

  /** @param count requests a count from the service; rejects with the service's error */
  constructor(count: (body: CountBody, signal: AbortSignal) => Promise<number>) {
    this.#count = count;
  }

  async text(text: string, signal: AbortSignal): Promise<number> {
    const frame = await this.#once('shortest', SHORTEST, signal);
    return (await this.#count({ messages: [{ role: 'user', content: text }] }, signal)) - frame + 1;
  }

  /** Counts the tokens of tool definitions. The prompt that the service adds if there are any tools isn't included. */
  async definitions(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<number> {
    if (tools.length === 0) return 0;
    let body: CountBody = { ...SHORTEST, tools: [...SMALLEST.slice(0, 1), ...tools.map((tool) => customTool(tool))] };
    const frame = await this.#withTools(1, signal);
    for (let tries = 0; ; tries++) {
      try {
        return (await this.#count(body, signal)) - frame;
      } catch (error) {
        const at = refusedAt(error);
        if (at === undefined || tries >= MAX_REFUSED) throw error;
        body = { ...body, tools: (body.tools ?? []).filter((_, index) => index !== at) };
      }
    }
  }

  async toolPrompt(signal: AbortSignal): Promise<number> {
    const [none, one, two] = await Promise.all([
      this.#once('shortest', SHORTEST, signal),
      this.#withTools(1, signal),
      this.#withTools(2, signal),
    ]);
    return one - none - (two - one);
  }

  async request(request: ModelRequest, options: RequestOptions, signal: AbortSignal): Promise<number> {
    const { body: whole, betas } = toCountRequest(request, options);
    const { model: _, ...rest } = whole;
    const body: CountBody = { ...rest, betas };
    const deferred = body.tools?.every((tool) => 'defer_loading' in tool && tool.defer_loading === true) ?? false;
    if (!deferred || !this.#refusesDeferred) {
      try {
        return await this.#count(body, signal);
      } catch (error) {
        if (!deferred || !refusesRequest(failureOf(error)?.status)) throw error;
        this.#refusesDeferred = true;
      }
    }
    // The service counts if there is also one tool that isn't deferred. Its tokens are subtracted.
    const small = { ...body, tools: [...SMALLEST.slice(0, 1), ...(body.tools ?? [])] };
    const [one, two] = await Promise.all([this.#withTools(1, signal), this.#withTools(2, signal)]);
    return (await this.#count(small, signal)) - (two - one);
  }

  #withTools(count: number, signal: AbortSignal): Promise<number> {
    return this.#once(`${count}`, { ...SHORTEST, tools: SMALLEST.slice(0, count) }, signal);
  }

  #once(key: string, body: CountBody, signal: AbortSignal): Promise<number> {
    return this.#shared.get(key, (own) => this.#count(body, own), signal);
  }
}
