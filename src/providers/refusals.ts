import { RESERVED_NAMES } from '../core/catalog/modelNames';
import type { ToolDefinition } from '../core/catalog/tool';
import { ModelError } from '../core/ports';
import { shortHash } from '../core/util/hash';

/** Whether a service doesn't take a request as it is: with 422 gateways say so that check requests by themselves. */
export function refusesRequest(status: number | undefined): boolean {
  return status === 400 || status === 422;
}

/** What a service can refuse of a tool: all of it, its examples, its schema as a strict one, that of its results, or that code calls it. */
type Refusable = 'tool' | 'examples' | 'strict' | 'returns' | 'callers';

/**
 * What a service refused so far of the tools that one model is sent: requests are made without it. A tool is known by its
 * definition, so that one that its server mended is sent again.
 */
export class Refusals {
  readonly #known = new Map<string, Set<string>>();

  has(part: Refusable, tool: ToolDefinition): boolean {
    return this.#known.get(`${part} ${tool.name}`)?.has(hashOf(tool)) ?? false;
  }

  /** False where it was known, so that asking again without it is of no use. */
  add(part: Refusable, tool: ToolDefinition): boolean {
    if (this.has(part, tool)) return false;
    const key = `${part} ${tool.name}`;
    this.#known.set(key, (this.#known.get(key) ?? new Set()).add(hashOf(tool)));
    return true;
  }

  /**
   * Leaves a tool out of all requests.
   * @returns what the user should know; undefined where it was left out already
   * @throws ModelError for a tool of our own: without it nothing could be found or called any more
   */
  leaveOut(tool: ToolDefinition, service: string, words: string): string | undefined {
    if (RESERVED_NAMES.has(tool.name))
      throw new ModelError(
        `${service} refuses Tool Search's own tool ${tool.name}, without which it can't work: ${words}`,
        {
          unanswered: true,
        },
      );
    return this.add('tool', tool)
      ? `The tool ${tool.id} is left out, since ${service} refuses its definition: ${words}`
      : undefined;
  }

  kept(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
    return tools.some((tool) => this.has('tool', tool)) ? tools.filter((tool) => !this.has('tool', tool)) : tools;
  }
}

function hashOf({ description, inputSchema, outputSchema, examples }: ToolDefinition): string {
  return shortHash(JSON.stringify([description, inputSchema, outputSchema, examples]));
}
