import { type CallOutcome, type ToolCall, type Transcript, withoutMedia } from '../conversation/transcript';
import { onceAsked, withoutPending, withUnanswered } from '../conversation/unanswered';
import type { RenderResult } from '../hooks/resultRenderer';
import type { TurnTools } from '../hooks/turnTools';
import { ModelError, type ModelPort, type ToolRunner, type ToolSource, toolMessage } from '../ports';
import type { SearchPort } from '../search/types';
import { settingsFor } from '../settings/forModel';
import { runRounds } from '../turn/round';
import type { LastRequests } from '../usage/cacheMiss';
import type { Timer } from '../util/signals';
import { agentCatalog, searchForAgent } from './agentCatalog';
import { RelayDriver } from './relayDriver';
import type { RelayRequest, RelaySink } from './relayRequest';
import { questionKey, questionOf, type RelayTurns } from './relayTurns';

export interface RelayDeps {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly turns: RelayTurns;
  readonly now: () => number;
  /** Hears what the caller can't be told. */
  readonly log: (message: string) => void;
  /** How a call ended, by the text of its result: a caller says no more. */
  readonly outcomeOf?: (text: string) => CallOutcome;
  readonly turnTools?: TurnTools;
  readonly renderResult?: RenderResult;
  readonly yieldToEventLoop?: () => Promise<void>;
  readonly timer?: Timer;
  readonly requests?: LastRequests;
}

export interface RelayOutcome {
  /** The whole reply, as it belongs into the conversation. */
  readonly kept: Transcript;
  /** What of it the caller has seen. */
  readonly visible: { readonly text: string; readonly calls: readonly ToolCall[] };
}

/**
 * Answers a caller who knows nothing of deferral: tools are deferred by the user's rules, searches are answered in here,
 * and the caller sees text and calls of its own tools alone. Rejects with {@link ModelError} for what the user can mend.
 */
export async function relay(
  deps: RelayDeps,
  asked: RelayRequest,
  sink: RelaySink,
  signal: AbortSignal,
): Promise<RelayOutcome> {
  const { settings } = settingsFor(asked.settings, asked.port.info);
  // What is asked in it names the turn in all of its requests, whatever of it a model reads.
  const said = onceAsked(asked.transcript);
  const transcript = withoutPending(withUnanswered(said, (before) => deps.turns.endOf(before)));
  const request: RelayRequest = { ...asked, settings, transcript };
  const { port, counter } = request;
  // Without tools it is no agent that asks: a title, a summary.
  const agent = request.tools.length > 0;
  const turn = deps.turns.enter(questionKey(port.info.id, said), said, agent ? settings : undefined);
  // Looked at anew: a tool of a server that we haven't seen yet would count as one of VS Code's, which are eager.
  const known = deps.source.refresh();
  // Once for a question: a filter that changed its mind in mid-turn would take away what was found.
  const fresh = agent && !turn.prepared;
  if (fresh)
    turn.prepared = await deps.turnTools?.prepare(
      deps.source,
      { prompt: questionOf(transcript), model: idOf(port) },
      signal,
    );
  const catalog = agentCatalog(request.tools, known, turn.prepared?.source.catalog);
  const warnings = fresh ? (turn.prepared?.warnings ?? []) : [];
  const driver = new RelayDriver({ ...deps, request, catalog, known, turn, sink, warnings });
  const end = await runRounds(
    {
      ...deps,
      port,
      counter,
      settings,
      search: searchForAgent(deps.search, known, catalog),
      runner: NEVER_RUNS,
      calls: turn.calls,
      record: turn.record,
    },
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
          ? 'An internal error ended the turn.'
          : undefined;
    deps.turns.end(turn, status, message, end.recorded);
  }
  if (end.status === 'failed' || end.status === 'broken') throw end.error;
  return { kept: withoutMedia(driver.items), visible: { text: driver.said, calls: driver.handed } };
}

function idOf({ info }: ModelPort): string {
  return `${info.vendor}/${info.id}`;
}

/** Tools belong to the caller: only searches are answered in here. */
const NEVER_RUNS: ToolRunner = { run: async () => toolMessage('refused', 'This tool is run by the caller.') };
