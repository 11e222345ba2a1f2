import type { ResponseCreateParamsStreaming, Tool } from 'openai/resources/responses/responses';
import type { ToolDefinition } from '../../core/catalog/tool';
import { ModelError, type ModelRequest } from '../../core/ports';
import { shortHash } from '../../core/text/hash';
import { type Capabilities, WITHOUT_SEARCH } from '../capabilities';
import { type Failure, lacksEncryptedReasoning, lacksToolChoice, lacksToolSearch, rejectedFunction } from './errors';
import { buildRequest } from './request';

/** What the service refused so far of what one model is sent: requests are made without it. */
export class Corrections {
  readonly #access: { readonly model: string; readonly name: string; readonly capabilities: Capabilities };
  /** Functions whose schemas the service didn't take as strict ones, and those it didn't take at all; by {@link keyOf}. */
  readonly #loose = new Set<string>();
  readonly #rejected = new Set<string>();
  #encrypts: boolean;

  constructor(access: { readonly model: string; readonly name: string; readonly capabilities: Capabilities }) {
    this.#access = access;
    this.#encrypts = reasons(access.model);
  }

  build(request: ModelRequest): ResponseCreateParamsStreaming {
    const kept = (tool: ToolDefinition) => !this.#rejected.has(keyOf(tool));
    const all = [...request.tools, ...request.deferred];
    const loose = new Set(this.#loose.size > 0 ? all.filter((tool) => this.#loose.has(keyOf(tool))).map((tool) => tool.name) : []);
    const sound =
      this.#rejected.size > 0 ? { ...request, tools: request.tools.filter(kept), deferred: request.deferred.filter(kept) } : request;
    const { forcesTools } = this.#access.capabilities.of('openai', this.#access.model);
    return buildRequest(forcesTools ? sound : { ...sound, required: [] }, { model: this.#access.model, reasoning: this.#encrypts, loose });
  }

  /**
   * Learns from a refusal. Returns what the user should know, '' for nothing, where the request is worth sending again;
   * undefined where it isn't.
   */
  learn(failure: Failure, request: ModelRequest, body: ResponseCreateParamsStreaming): string | undefined {
    if (body.include && lacksEncryptedReasoning(failure)) {
      this.#encrypts = false;
      return '';
    }
    if (request.deferred.length > 0 && lacksToolSearch(failure)) {
      this.#access.capabilities.learn('openai', this.#access.model, WITHOUT_SEARCH);
      throw new ModelError(`${this.#access.name} has no tool search of its own.`, { replan: true });
    }
    if (body.tool_choice && lacksToolChoice(failure)) {
      this.#access.capabilities.learn('openai', this.#access.model, { forcesTools: false });
      return '';
    }
    const rejected = rejectedFunction(failure, body.tools ?? []);
    const tool = rejected && [...request.tools, ...request.deferred].find(({ name }) => name === rejected.name);
    if (!rejected || !tool || this.#rejected.has(keyOf(tool))) return undefined;
    if (sentStrict(body.tools ?? [], tool.name)) {
      this.#loose.add(keyOf(tool));
      return '';
    }
    this.#rejected.add(keyOf(tool));
    return `OpenAI doesn't take the input schema of ${tool.id}, so the tool is left out: ${rejected.why}`;
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
