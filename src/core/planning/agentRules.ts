import type { Catalog } from '../catalog/catalog';
import type { Tool } from '../catalog/tool';
import type { Transcript } from '../conversation/transcript';
import { discoveredIds } from './discovery';
import type { LoadingPlan } from './loading';

/** Another agent that asks one of our models, with tools that it runs itself. */
export interface CallingAgent {
  /** Its own instructions. They come before our guidance. */
  readonly system: string;
  /** Ids that our index knows. No other tool can be found. */
  readonly known: { has(id: string): boolean };
  /** It wants a call, not an answer. */
  readonly mustCall: boolean;
}

/** Our own language model tools: a second way to search only confuses a model that has one over the same tools. */
const OUR_TOOLS = /^toolsearch_/;

/**
 * The plan for tools that a caller passed: nothing of it is left out, a tool that our index doesn't know can't be
 * found and stays eager, and so does one that was called in this conversation by a request whose search we no
 * longer have.
 */
export function planForAgent(
  plan: LoadingPlan,
  caller: CallingAgent,
  { catalog, transcript }: { readonly catalog: Catalog; readonly transcript: Transcript },
): LoadingPlan {
  const discovered = discoveredIds(transcript, catalog);
  const called = calledIds(transcript, catalog);
  const isHidden = (tool: Tool) => plan.decisions.get(tool.id)?.rule === 'hidden';
  const defers = (tool: Tool) =>
    !caller.mustCall &&
    plan.decisions.get(tool.id)?.loading === 'deferred' &&
    caller.known.has(tool.id) &&
    (discovered.has(tool.id) || !called.has(tool.id));
  const deferred = catalog.tools.filter(defers);
  // An agent that passes no tool of a server reaches those through ours alone.
  const searches = deferred.some(({ origin }) => origin === 'mcp');
  const eager = catalog.tools.filter(
    (tool) =>
      !isHidden(tool) && !defers(tool) && (!searches || called.has(tool.id) || !OUR_TOOLS.test(tool.invokeName)),
  );
  return { ...plan, eager, deferred };
}

function calledIds(transcript: Transcript, catalog: Catalog): ReadonlySet<string> {
  const calls = transcript.flatMap((item) => (item.kind === 'assistant' ? item.calls : []));
  return new Set(calls.flatMap(({ name }) => catalog.byModelName.get(name)?.id ?? []));
}
