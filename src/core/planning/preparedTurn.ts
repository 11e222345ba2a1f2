// The tools of one turn, as the filters of other extensions change them in each round.

import type { ToolFilter, TurnInfo } from '../../../tool-search';
import type { Catalog } from '../catalog/catalog';
import { createCatalog } from '../catalog/catalog';
import type { Tool, ToolDefinition } from '../catalog/tool';
import { joinedSince, joinedTools } from '../conversation/joinedTools';
import type { ConversationPlan, Transcript } from '../conversation/transcript';
import { filterTools } from '../hooks/filterTools';
import type { NamedHooks } from '../hooks/namedHooks';
import type { ModelInfo, ToolSource } from '../ports';
import { definitionOf } from '../usage/tokens';
import { sameJson } from '../util/sameJson';
import { discoveredIds, sentDefinitions } from './discovery';

/** The effect of filters on a round, for the ledger. */
interface RoundChange {
  /** Names of the filters. */
  readonly by: readonly string[];
  /** The number of all tools, and of those that the round may use. */
  readonly tools: number;
  readonly kept: number;
  /** Ids of the tools whose description or arguments the filters changed. */
  readonly changed: readonly string[];
  /** Ids of changed tools that stay as they were sent, because the conversation already had their definitions. */
  readonly late: readonly string[];
}

/** The conversation that a round belongs to. */
interface RoundInputs {
  readonly round: number;
  readonly transcript: Transcript;
  readonly catalog: Catalog;
  readonly model: ModelInfo;
  /** The plan that the conversation began with. */
  readonly conversationPlan?: ConversationPlan | undefined;
  /** The tools of the turn's previous request. */
  readonly before?: readonly ToolDefinition[];
}

export interface PreparedRound {
  readonly warnings: readonly string[];
  /** Absent if no filter did anything, or if the round is like the previous one. */
  readonly change?: RoundChange;
}

/** The maximum number of ids that one ledger event names. */
const MAX_NAMED = 50;
const NONE: ReadonlySet<string> = new Set();

/** One turn's tools. They change only when {@link next} is called or the catalog changes. */
export class PreparedTurn {
  readonly #filters: NamedHooks<ToolFilter>;
  readonly #given: ToolSource;
  readonly #turn: TurnInfo;
  /** The newest round's tools by id; undefined before the first. */
  #tools: ReadonlyMap<string, Tool> | undefined;
  /** Ids of the tools that the filters saw in the newest round, and of those that they changed. */
  #seen = NONE;
  #changed = NONE;
  #last: RoundChange | undefined;
  readonly source: ToolSource;

  constructor(filters: NamedHooks<ToolFilter>, source: ToolSource, turn: TurnInfo) {
    this.#filters = filters;
    this.#given = source;
    this.#turn = turn;
    this.source = this.#view(source);
  }

  /**
   * Whether the newest round may use a tool. False only for a tool that the filters saw and left out. A tool that
   * appeared later counts as usable here.
   */
  has(id: string): boolean {
    return !this.#seen.has(id) || this.#tools?.has(id) === true;
  }

  /**
   * Prepares the next round. A tool whose definition the conversation already has keeps that definition, because
   * conversations only grow. A tool that appears after this call can be used from the next round on, because no filter
   * has seen it. Never rejects.
   */
  async next(inputs: RoundInputs, signal: AbortSignal): Promise<PreparedRound> {
    const { round, transcript, catalog, model, conversationPlan, before: last = [] } = inputs;
    const sent = sentTools(transcript, `${model.vendor}/${model.id}`, conversationPlan);
    for (const tool of last) if (tool.server !== '') sent.set(tool.id, tool);
    const { tools: all } = this.#given.catalog;
    const about = { ...this.#turn, round, discovered: [...discoveredIds(transcript, catalog)] };
    const filtered = await filterTools(this.#filters, all, about, signal);
    const made = new Map<string, Tool>();
    const late: string[] = [];
    for (const [id, wanted] of filtered.tools) {
      const before = this.#tools?.get(id);
      const definition = filtered.changed.has(id) || this.#changed.has(id) ? sent.get(id) : undefined;
      const tool = before && sameJson(before, wanted) ? before : wanted;
      const isLate = definition !== undefined && !isSentAs(tool, definition);
      made.set(id, isLate ? asSent(tool, definition) : tool);
      if (isLate) late.push(id);
    }
    const { by, changed, warnings } = filtered;
    this.#tools = made;
    this.#seen = new Set(all.map(({ id }) => id));
    this.#changed = changed;
    const now = { by, tools: all.length, kept: made.size };
    const isLate = new Set(late);
    const named = (ids: readonly string[]) => ids.slice(0, MAX_NAMED);
    const change = { ...now, changed: named([...changed].filter((id) => !isLate.has(id))), late: named(late) };
    const before = this.#last ?? { ...now, kept: all.length, changed: [], late: [] };
    this.#last = change;
    return sameJson(change, before) ? { warnings } : { warnings, change };
  }

  /** Returns the source with the prepared tools; the same object until its catalog or the round changes. */
  #view(source: ToolSource): ToolSource {
    let made = { of: source.catalog, tools: this.#tools, catalog: source.catalog };
    const read = () => {
      const of = source.catalog;
      const tools = this.#tools;
      if (made.of === of && made.tools === tools) return made.catalog;
      const prepared = tools ? of.tools.flatMap(({ id }) => tools.get(id) ?? []) : of.tools;
      made = { of, tools, catalog: { ...of, ...createCatalog(of.revision, prepared, of.servers) } };
      return made.catalog;
    };
    return {
      get catalog() {
        return read();
      },
      onDidChange: (listener) => source.onDidChange(listener),
      refresh: () => source.refresh(),
      whenReady: (options) => source.whenReady(options),
    };
  }
}

function isSentAs(tool: Tool, sent: ToolDefinition): boolean {
  const { definition } = definitionOf(tool);
  return definition.description === sent.description && sameJson(definition.inputSchema, sent.inputSchema);
}

/**
 * Returns a tool with the definition that the conversation contains, because the model's arguments follow that
 * definition.
 */
function asSent(tool: Tool, { description, inputSchema }: ToolDefinition): Tool {
  return { ...tool, description, inputSchema };
}

/**
 * Returns the definitions that a conversation with this model contains and keeps, by id. Empty for a model whose
 * requests don't keep their beginning.
 * @param model `vendor/id`
 */
function sentTools(
  transcript: Transcript,
  model: string,
  conversationPlan: ConversationPlan | undefined,
): Map<string, ToolDefinition> {
  const base = conversationPlan?.inputHashes.model === model ? conversationPlan.base : undefined;
  if (!base) return new Map();
  const joined = joinedTools(joinedSince(base, transcript));
  return new Map(
    [...(base.found ?? []), ...sentDefinitions(transcript).values(), ...joined, ...base.tools].map((tool) => [
      tool.id,
      tool,
    ]),
  );
}
