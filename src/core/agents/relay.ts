import type { Catalog } from '../catalog/catalog';
import { withoutMedia } from '../conversation/keptHistory';
import type { ToolCall, Transcript } from '../conversation/transcript';
import { onceAsked, withoutPending, withUnanswered } from '../conversation/unanswered';
import { ModelError, type ToolRunner, toolMessage } from '../ports';
import type { SearchHit, SearchPort } from '../search/types';
import { settingsFor } from '../settings/modelSettings';
import { runRounds } from '../turn/rounds';
import { l10n } from '../util/l10n';
import { agentCatalog } from './agentCatalog';
import { RelayDriver } from './relayDriver';
import type { PlannedRelay, RelayDeps, RelayRequest, RelaySink } from './relayRequest';
import { questionKey, questionOf } from './relayTurns';

export interface RelayOutcome {
  /** The whole reply, as later requests of the conversation need it. */
  readonly kept: Transcript;
  /** The part of the reply that the agent sees. */
  readonly visible: { readonly text: string; readonly calls: readonly ToolCall[] };
}

/**
 * Answers a request of an agent that knows nothing about deferral. Tools are deferred by the user's rules, searches are
 * answered here, and the agent sees only text and calls of its own tools. Rejects with {@link ModelError} for problems
 * that the user can fix.
 */
export async function relay(
  deps: RelayDeps,
  asked: RelayRequest,
  sink: RelaySink,
  signal: AbortSignal,
): Promise<RelayOutcome> {
  const { services } = deps;
  const { source, user, counters } = services;
  const { settings } = settingsFor(user.settings(), asked.port.info);
  // The question identifies the turn in all of its requests, so the question is taken from the whole conversation.
  const said = onceAsked(asked.transcript);
  const transcript = withoutPending(withUnanswered(said, (before) => deps.turns.endOf(before)));
  const { port } = asked;
  const counter = counters.of(port.info);
  const request: PlannedRelay = { ...asked, transcript, settings, pins: user.pins(), counter };
  // A request without tools isn't part of an agent's turn: it asks for a title or a summary.
  const agent = request.tools.length > 0;
  const turn = deps.turns.enter(questionKey(port.info.id, said), said, agent ? settings : undefined);
  // The catalog must be fresh: an unknown tool of a new server would count as one of VS Code's, which are eager.
  const known = source.refresh();
  const catalog = agentCatalog(request.tools, known);
  const driver = new RelayDriver({ request, catalog, known, turn, sink, relay: deps });
  const end = await runRounds(
    {
      services: { ...services, search: searchIn(services.search, known, catalog) },
      counter,
      settings,
      runner: AGENT_RUNS,
      limits: turn.calls,
      record: turn.record,
      info: { prompt: questionOf(transcript), model: `${port.info.vendor}/${port.info.id}` },
    },
    port,
    driver,
    signal,
  );
  if (end.status === 'open') deps.turns.wait(turn);
  else {
    const status = end.status === 'answered' || end.status === 'cancelled' ? end.status : 'failed';
    const message =
      end.status === 'failed'
        ? end.error.message
        : end.status === 'broken'
          ? l10n.t('An internal error ended the turn.')
          : undefined;
    deps.turns.end(turn, status, message, end.recorded);
  }
  if (end.status === 'failed' || end.status === 'broken') throw end.error;
  return { kept: withoutMedia(driver.items), visible: { text: driver.said, calls: driver.handed } };
}

/** Returns a search over the index of `known` whose hits are the agent's tools, under its own names. */
function searchIn(search: SearchPort, known: Catalog, shown: Catalog): SearchPort {
  const toolsOf = (hits: readonly SearchHit[]) =>
    hits.flatMap((hit) => {
      const tool = shown.byId.get(hit.tool.id);
      return tool ? [{ ...hit, tool }] : [];
    });
  const nameOf = (name: string) => shown.byId.get(known.byModelName.get(name)?.id ?? '')?.modelName ?? name;
  return {
    async search(request, signal) {
      const outcome = await search.search(request, signal);
      if (!outcome.ok) return outcome;
      const { hits, below, nearest } = outcome;
      return { ...outcome, hits: toolsOf(hits), below: toolsOf(below), nearest: nearest.map(nameOf) };
    },
  };
}

/** The agent checks arguments, asks the user and runs its tools. None runs here, and its request has no hidden ones. */
const AGENT_RUNS: ToolRunner = {
  refusalOf: () => undefined,
  checkArguments: async () => [],
  consent: (call, goOn) => goOn(call),
  time: (call, goOn) => goOn(call),
  changedSince: () => undefined,
  invoke: async () => toolMessage('refused', 'This tool is run by the agent.'),
};
