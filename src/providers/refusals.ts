import { RESERVED_NAMES } from '../core/catalog/modelNames';
import type { ToolDefinition } from '../core/catalog/tool';
import { ModelError } from '../core/ports';
import { shortHash } from '../core/util/hash';
import { l10n } from '../core/util/l10n';

/** Returns the error after which the turn is planned again without a feature that the model turned out to lack. */
export function replanned(message: string): ModelError {
  return new ModelError(message, { replan: true, unanswered: true });
}

/** Whether a status means that the service refuses the request itself. Gateways use 422 for this. */
export function refusesRequest(status: number | undefined): boolean {
  return status === 400 || status === 422;
}

/**
 * The parts of a tool that a service can refuse: the whole tool, its examples, strict mode for its schema, the schema
 * of its results, or calls by code.
 */
type Refusable = 'tool' | 'examples' | 'strict' | 'returns' | 'callers';

/**
 * The parts of tools that a service has refused for one model. Requests are built without them. A tool is identified by
 * its definition, so a corrected tool is sent again.
 */
export class Refusals {
  readonly #known = new Map<string, Set<string>>();

  has(part: Refusable, tool: ToolDefinition): boolean {
    return this.#known.get(`${part} ${tool.name}`)?.has(hashOf(tool)) ?? false;
  }

  /** Adds a refused part. Returns false if it was known already: then leaving it out didn't help. */
  add(part: Refusable, tool: ToolDefinition): boolean {
    if (this.has(part, tool)) return false;
    const key = `${part} ${tool.name}`;
    this.#known.set(key, (this.#known.get(key) ?? new Set()).add(hashOf(tool)));
    return true;
  }

  /**
   * Leaves a tool out of all further requests.
   * @returns a sentence for the user; undefined if the tool was already left out
   * @throws ModelError for a tool of the extension itself, without which no tool could be found or called
   */
  leaveOut(tool: ToolDefinition, service: string, words: string): string | undefined {
    if (RESERVED_NAMES.has(tool.name))
      throw new ModelError(
        l10n.t('{0} refuses {1}, which Tool Search can’t work without: {2}', service, tool.name, words),
        {
          unanswered: true,
        },
      );
    return this.add('tool', tool)
      ? l10n.t('The tool {0} is left out because {1} refuses its definition: {2}', tool.id, service, words)
      : undefined;
  }

  kept(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
    return tools.some((tool) => this.has('tool', tool)) ? tools.filter((tool) => !this.has('tool', tool)) : tools;
  }
}

function hashOf({ description, inputSchema, outputSchema, examples }: ToolDefinition): string {
  return shortHash(JSON.stringify([description, inputSchema, outputSchema, examples]));
}
