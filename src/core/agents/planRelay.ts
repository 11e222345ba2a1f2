import type { Catalog } from '../catalog/catalog';
import type { Tool } from '../catalog/tool';
import { type Choice, chooseDelivery, chooseStrategy, type Delivery } from '../planning/delivery';
import { discoveredIds } from '../planning/discovery';
import { planLoading } from '../planning/loading';
import type { ModelInfo } from '../ports';
import type { Pins, Settings } from '../settings/settings';
import type { Transcript } from '../transcript/transcript';

/** How a request of another agent is sent. */
export interface RelayPlan {
  readonly eager: readonly Tool[];
  readonly deferred: readonly Tool[];
  readonly delivery: Delivery;
  readonly strategy: Choice;
  /** Why it isn't as the settings say, for the log. */
  readonly note?: string;
}

/** Our own language model tools: a second way to search only confuses a model that has one. */
const OUR_TOOLS = /^toolsearch_/;

/**
 * Decides on the caller's tools by the rules of `@toolsearch`, with what a caller needs: nothing that it passed is left
 * out, a tool that our index doesn't know can't be found and stays eager, and so does one that was called in this
 * conversation by a request whose search we no longer have. A string is the reason why it can't be sent at all.
 */
export function planRelay(inputs: {
  readonly catalog: Catalog;
  /** Ids that our index knows. */
  readonly known: { has(id: string): boolean };
  readonly transcript: Transcript;
  readonly mustCall: boolean;
  readonly settings: Settings;
  readonly pins: Pins;
  readonly model: ModelInfo;
  readonly definitionTokens: (tools: readonly Tool[]) => number;
}): RelayPlan | string {
  const { catalog, settings, model } = inputs;
  const { decisions } = planLoading({ ...inputs, references: new Set() });
  const discovered = discoveredIds(inputs.transcript, catalog);
  const called = calledIds(inputs.transcript, catalog);
  const defers = (tool: Tool) =>
    !inputs.mustCall &&
    decisions.get(tool.id)?.loading === 'deferred' &&
    inputs.known.has(tool.id) &&
    (discovered.has(tool.id) || !called.has(tool.id));
  const deferred = catalog.tools.filter(defers);
  const eager = catalog.tools.filter(
    (tool) => !defers(tool) && (deferred.length === 0 || called.has(tool.id) || !OUR_TOOLS.test(tool.invokeName)),
  );
  const choice = chooseDelivery({
    settings,
    model,
    eager: eager.length,
    deferred: deferred.length,
    discovered: deferred.filter((tool) => discovered.has(tool.id)).length,
  });
  if (choice.ok) {
    const { delivery } = choice;
    const { name, degraded } = delivery;
    const max = model.native?.maxDeferred ?? 0;
    if ((name === 'server' || name === 'client') && deferred.length > max)
      return `${model.name} takes ${max} deferred tools in a request, and ${deferred.length} were passed. Set toolsearch.delivery to local, or turn tools off.`;
    const strategy = chooseStrategy(settings, name, model);
    return { eager, deferred, delivery, strategy, ...(degraded === undefined ? {} : { note: degraded }) };
  }
  // A caller that knows nothing of deferral must not fail for it while its tools fit.
  if (deferred.length > 0 && catalog.tools.length <= model.maxTools) {
    return {
      eager: catalog.tools,
      deferred: [],
      delivery: { name: 'local', why: choice.message },
      strategy: chooseStrategy(settings, 'local'),
      note: choice.message,
    };
  }
  return choice.message;
}

function calledIds(transcript: Transcript, catalog: Catalog): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of transcript) {
    if (item.kind !== 'assistant') continue;
    for (const call of item.calls) {
      const tool = catalog.byModelName.get(call.name);
      if (tool) ids.add(tool.id);
    }
  }
  return ids;
}
