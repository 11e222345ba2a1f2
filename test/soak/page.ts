// Rules on the rows of the inspector's page: why a tool is kept out, what a server's tools take, the timeline of a turn.
import { eventsOf, type LedgerEvent } from '../../src/core/ledger/events';
import { compileIdGlobs } from '../../src/core/settings/glob';
import type { ToolView, ViewState } from '../../src/inspector/protocol/view';
import asked from './asked.json';
import { different, type Figure } from './shown';
import type { Window } from './window';

/** Reasons that follow from what the user did alone. */
const OWN_REASON = /^(changed|hiddenTools|pinned: \w+|not in the set .*|allowedCallers: code|mode (on|off))$/;

/** Why a tool is where it is, and where, if the user did something that decides. */
function standingOf(window: Window, { id, reason, server }: ToolView): string | undefined {
  const { source, settings, pinned } = window;
  const [, may] = Object.entries(settings.allowedCallers ?? {}).find(([glob]) => compileIdGlobs([glob])(id)) ?? [];
  const [pin, ofServer] = [id, server].map((what) => /eager|deferred/.exec(pinned.get(what) ?? '')?.[0]);
  if (!source.catalog.byId.has(id)) return 'changed omitted';
  if (window.hides(id)) return `${window.whyHidden(id)} omitted`;
  if (may === 'code') return 'allowedCallers: code deferred';
  if (pin) return `pinned: tool ${pin}`;
  if (ofServer) return `pinned: server ${ofServer}`;
  const mode = settings.models?.['*']?.mode ?? settings.mode ?? 'auto';
  return /^mode/.test(reason) ? `mode ${mode} ${mode === 'on' ? 'deferred' : 'eager'}` : undefined;
}

/** What the page shows of tools, servers and the newest turn, otherwise than the user's choices and the record. */
export function mispaged(window: Window): readonly string[] {
  const { page, ledger } = window;
  if (!page) return [];
  const times = new Map<string, number>();
  for (const { tool, ms } of eventsOf(ledger.events, 'called')) times.set(tool, (times.get(tool) ?? 0) + ms);
  const found = new Map(
    eventsOf(ledger.events, 'discovered').flatMap(({ ids, turn, round }) => ids.map((id) => [id, `${turn} ${round}`])),
  );
  return different([
    ...page.tools.flatMap((row): readonly Figure[] => {
      const { id, reason, loading, callMs, discoveredAt: at } = row;
      const [shown, wanted] = [`${reason} ${loading.replace('discovered', 'deferred')}`, standingOf(window, row)];
      // A chat may keep what it began with, but nothing that the user hid.
      const isKept = !OWN_REASON.test(reason) && !wanted?.endsWith('omitted');
      return [
        [`the reason of ${id}`, isKept || shown, isKept || wanted],
        [`the time of ${id}`, Math.round(callMs), Math.round(times.get(id) ?? 0)],
        [`the discovery of ${id}`, at && `${at.turn} ${at.round}`, found.get(id)],
      ];
    }),
    ...page.servers.map(({ name, tokens }): Figure => {
      const own = page.tools.filter(({ server, loading }) => server === name && loading !== 'omitted');
      return [`tokens of ${name}`, tokens.value, own.reduce((sum, row) => sum + row.tokens.value, 0)];
    }),
    ['tools of a page', page.totals.tools, page.tools.filter(({ loading }) => loading !== 'omitted').length],
    ...timeline(page, ledger.events),
  ]);
}

/** Compares the timeline that is open with the turn's events, but for those of scripts and refused requests. */
function timeline({ turns }: ViewState, all: readonly LedgerEvent[]): readonly Figure[] {
  const view = turns.find((turn) => turn.events);
  const events = all.filter(({ turn }) => turn === view?.turn);
  const refused = eventsOf(events, 'replanned');
  const kinds: { readonly [type: string]: string } = asked.kinds;
  const rows = view?.events?.filter(({ kind }) => kind !== 'cacheMiss') ?? [];
  const row = (kind: string, seq: number, ms?: number) => `${kind} ${seq} ${/call|search/.test(kind) ? ms : ''}`;
  const recorded = events.flatMap((event) => {
    const { type, seq } = event;
    const isRefused = type === 'roundStarted' && refused.some((it) => it.refused === event.round && it.seq > seq);
    const isShown = !isRefused && !('script' in event && event.script !== undefined);
    return isShown && kinds[type] ? row(kinds[type], seq, 'ms' in event ? event.ms : undefined) : [];
  });
  const shown = rows.map(({ kind, seq, ms }) => row(kind, seq, ms));
  return [
    ['rows of a timeline', shown.sort().join(), recorded.sort().join()],
    ['the end of a timeline', rows.findIndex(({ kind }) => kind === 'end'), rows.length - 1],
  ];
}
