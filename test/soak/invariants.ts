import type { LedgerEvent } from '../../src/core/ledger/ledger';
import type { TurnReport } from '../../src/core/ledger/report';
import type { TurnOutcome } from '../../src/core/turn/turn';

/** Our own tools, which no server runs. */
const OWN = new Set(['search_tools', 'describe_tool', 'run_code']);

/** What must hold after a turn, whatever went wrong in it; each broken rule in words. */
export function brokenIn(turn: {
  readonly outcome: TurnOutcome;
  readonly events: readonly LedgerEvent[];
  readonly report: TurnReport | undefined;
  /** Ids of the tools that were handed to a server. */
  readonly ran: readonly string[];
}): readonly string[] {
  const { outcome, report, ran } = turn;
  const broken: string[] = [];
  const own = turn.events.filter((event) => event.turn === outcome.turn);
  const called = own.filter((event) => event.type === 'called');

  const asked = outcome.items.flatMap((item) => (item.kind === 'assistant' ? item.calls : []));
  const answered = outcome.items.flatMap((item) => (item.kind === 'results' ? item.results : []));
  broken.push(...same('calls of the transcript and their results', ids(asked), ids(answered)));
  broken.push(...repeated('called in the ledger', ids(called)));
  broken.push(...repeated('asked for in the transcript', ids(asked)));
  const ofTools = asked.filter(({ name }) => !OWN.has(name));
  for (const { callId } of called)
    if (!asked.some((call) => call.callId === callId)) broken.push(`${callId} is called in the ledger alone`);
  for (const { callId } of ofTools) {
    const outcomeOf = answered.find((result) => result.callId === callId)?.outcome;
    const logged = called.some((event) => event.callId === callId);
    // A call of a reply that broke off, or whose turn was cancelled before it, was never made.
    if (!logged && outcomeOf === 'ok') broken.push(`${callId} was answered and isn't in the ledger`);
  }
  if (ran.length > ofTools.length) broken.push(`${ran.length} tools ran, where the model asked for ${ofTools.length}: ${ran.join(', ')}`);

  const ends = own.filter((event) => event.type === 'turnEnded');
  if (ends.length !== 1) broken.push(`the turn ended ${ends.length} times`);
  if (own.at(-1)?.type !== 'turnEnded') broken.push(`something was recorded after the end: ${own.at(-1)?.type}`);
  for (const { round } of own.filter((event) => event.type === 'roundEnded')) {
    if (!own.some((event) => event.type === 'roundStarted' && event.round === round)) broken.push(`round ${round} ended without a start`);
  }

  const rounds = own.filter((event) => event.type === 'roundEnded');
  const sum = (of: 'sent' | 'baseline') => rounds.reduce((total, round) => total + round.tokens[of].value, 0);
  if (!report) broken.push('the turn has no report');
  else {
    if (report.sentTokens !== sum('sent')) broken.push(`sent tokens are ${report.sentTokens}, their sum is ${sum('sent')}`);
    if (report.baselineTokens !== sum('baseline'))
      broken.push(`baseline tokens are ${report.baselineTokens}, their sum is ${sum('baseline')}`);
    if (report.netSavedTokens !== report.baselineTokens - report.sentTokens) broken.push(`net is ${report.netSavedTokens}`);
    if (report.calls.length !== called.length) broken.push(`${report.calls.length} calls are reported, ${called.length} recorded`);
    if (report.status !== outcome.status) broken.push(`reported as ${report.status}, ended as ${outcome.status}`);
  }
  return broken;
}

function ids(list: readonly { readonly callId: string }[]): readonly string[] {
  return list.map(({ callId }) => callId);
}

function repeated(what: string, list: readonly string[]): readonly string[] {
  return [...new Set(list.filter((id, index) => list.indexOf(id) !== index))].map((id) => `${id} is ${what} more than once`);
}

function same(what: string, a: readonly string[], b: readonly string[]): readonly string[] {
  return [...a].sort().join() === [...b].sort().join() ? [] : [`${what} differ: ${a.join()} and ${b.join()}`];
}
