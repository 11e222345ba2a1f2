import type { Catalog } from '../catalog/catalog';
import type { Tool } from '../catalog/tool';
import { calledNames, type Transcript } from '../conversation/transcript';
import { discoveredIds } from './discovery';
import type { LoadingPlan } from './loading';

/** Another agent that asks one of our models and runs its tools itself. */
export interface CallingAgent {
  /** The agent's own instructions. They come before our guidance. */
  readonly system: string;
  /** Ids that our index knows. A search can't find any other tool. */
  readonly known: { has(id: string): boolean };
  /** Whether the agent demands a call, not an answer. */
  readonly mustCall: boolean;
}

/** Our own language model tools. If a request has our search already, a second one only confuses the model. */
const OUR_TOOLS = /^toolsearch_/;

/**
 * Returns the loading plan for tools that another agent passed. None is left out. A tool stays eager if our index
 * doesn't know it, so that no search could find it, or if it was called and its search is no longer known.
 */
export function planForAgent(
  plan: LoadingPlan,
  agent: CallingAgent,
  { catalog, transcript }: { readonly catalog: Catalog; readonly transcript: Transcript },
): LoadingPlan {
  const discovered = discoveredIds(transcript, catalog);
  const called = new Set([...calledNames(transcript)].map((name) => catalog.byModelName.get(name)?.id));
  const isHidden = (tool: Tool) => plan.decisions.get(tool.id)?.rule === 'hidden';
  const defers = (tool: Tool) =>
    !agent.mustCall &&
    plan.decisions.get(tool.id)?.loading === 'deferred' &&
    agent.known.has(tool.id) &&
    (discovered.has(tool.id) || !called.has(tool.id));
  const deferred = catalog.tools.filter(defers);
  // An agent that passes none of a server's tools can reach them only through our own tools.
  const searches = deferred.some(({ origin }) => origin === 'mcp');
  const eager = catalog.tools.filter(
    (tool) =>
      !isHidden(tool) && !defers(tool) && (!searches || called.has(tool.id) || !OUR_TOOLS.test(tool.invokeName)),
  );
  return { ...plan, eager, deferred };
}
