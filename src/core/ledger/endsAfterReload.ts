import { splitId } from '../catalog/tool';
import { l10n } from '../util/l10n';
import type { LedgerEntry, LedgerEvent } from './events';

/** Returns what ends a turn that a reload of the window cut off, with its open calls and scripts: all are cancelled. */
export function endsAfterReload(turn: readonly LedgerEvent[]): readonly LedgerEntry[] {
  const calls = endsOfCalls(turn);
  const ms = (turn.at(-1)?.at ?? 0) - (turn[0]?.at ?? 0);
  const message = l10n.t('The window was reloaded.');
  return [...calls, ...endsOfScripts(turn, calls), { type: 'turnEnded', status: 'cancelled', ms, message }];
}

/** Returns events that end the open calls of a turn. */
function endsOfCalls(turn: readonly LedgerEvent[]): readonly LedgerEntry[] {
  return turn.flatMap((started): LedgerEntry[] => {
    if (started.type !== 'callStarted') return [];
    const { type: _, seq: _seq, at, turn: _turn, ...call } = started;
    if (turn.some((event) => event.type === 'called' && event.callId === call.callId && event.round === call.round))
      return [];
    return [
      {
        type: 'called',
        ...call,
        known: true,
        outcome: 'cancelled',
        // A retry shows the model this text.
        summary: 'The window was reloaded. The call may have run.',
        resultBytes: 0,
        withoutDiscovery: false,
        retry: 0,
        ms: (turn.at(-1)?.at ?? at) - at,
      },
    ];
  });
}

/** Returns events that end the open scripts of a turn. Their figures count the turn's calls and those in `ended`. */
function endsOfScripts(turn: readonly LedgerEvent[], ended: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return turn.flatMap((started): LedgerEntry[] => {
    if (started.type !== 'scriptStarted') return [];
    const { round, callId } = started;
    if (turn.some((event) => event.type === 'scriptEnded' && event.callId === callId && event.round === round))
      return [];
    const ran = [...turn, ...ended].flatMap((event) =>
      event.type === 'called' && event.script === callId && event.round === round ? [event] : [],
    );
    return [
      {
        type: 'scriptEnded',
        round,
        callId,
        outcome: 'cancelled',
        ms: (turn.at(-1)?.at ?? started.at) - started.at,
        computeMs: 0,
        calls: ran.length,
        failed: ran.filter(({ outcome }) => outcome !== 'ok').length,
        servers: [...new Set(ran.map(({ tool }) => splitId(tool)?.server ?? ''))],
        returnedChars: 0,
        countedChars: 0,
        outputChars: 0,
        output: '',
        note: l10n.t('The window was reloaded.'),
      },
    ];
  });
}
