import { eventsOf } from '../../core/ledger/events';
import type { LedgerEvent } from '../../core/ledger/ledger';
import type { TurnFigures } from '../../core/ledger/turnFigures';
import { cacheReadShare } from '../../core/usage/roundTokens';
import type { RoundTokens } from '../../core/usage/types';
import type { ViewInputs } from '../protocol/inputs';
import type { TurnView } from '../protocol/view';
import { cutBytes } from '../text/bytes';
import type { Text } from '../text/text';
import { lossView } from './lossView';

/** The maximum number of bytes of a question that are shown. Long pasted text is cut. */
const MAX_PROMPT = 1_000;
const MAX_MESSAGE = 2_000;
/** The maximum number of tools of a turn that the search of turns knows. */
const MAX_TOOLS = 50;

/** Returns a turn without its timeline. */
export function turnView(figures: TurnFigures, inputs: ViewInputs, text: Text): TurnView {
  const { events, started, ended, tokens, withModel } = figures;
  return {
    turn: started.turn,
    prompt: cutBytes(started.prompt, MAX_PROMPT),
    model: started.model.name,
    strategy: started.strategy,
    delivery: started.delivery,
    tools: figures.tools,
    running: ended === undefined,
    requests: figures.asksModel ? figures.rounds.length : 0,
    compared: figures.compared,
    sent: tokens.sent,
    baseline: tokens.baseline,
    usd: tokens.cost?.usd,
    overhead: overheadOf(tokens),
    calls: callsOf(events),
    searches: eventsOf(events, 'searched').length,
    cacheReadShare: cacheReadShare(figures.requests),
    readAgain: figures.misses.length > 0 ? figures.readAgain : undefined,
    loss: { usd: lossView(figures, 'usd', inputs, text), tokens: lossView(figures, 'tokens', inputs, text) },
    withModel: withModel && { sent: withModel.sent, baseline: withModel.baseline },
    ofAgent: ended?.agentTokens && true,
    end: ended && { status: ended.status, message: ended.message && cutBytes(ended.message, MAX_MESSAGE) },
  };
}

/** Returns what searching added. In US dollars, it is the same share of the price as of the cost. */
function overheadOf({ searchOverhead, cost }: RoundTokens): TurnView['overhead'] {
  const { parts, usd, sent = 0 } = cost ?? {};
  return {
    tokens: searchOverhead,
    ...(parts && usd && sent > 0 ? { usd: (usd.sent * parts.searchOverhead) / sent } : {}),
  };
}

function callsOf(events: readonly LedgerEvent[]): TurnView['calls'] {
  const calls = eventsOf(events, 'called');
  const found = eventsOf(events, 'discovered').flatMap(({ ids }) => ids);
  return {
    total: calls.length,
    failed: calls.filter(({ outcome }) => outcome !== 'ok').length,
    tools: [...new Set([...calls.map(({ tool }) => tool), ...found])].slice(0, MAX_TOOLS),
  };
}
