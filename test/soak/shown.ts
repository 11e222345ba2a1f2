// Rules on what users see: the inspector's page, the status bar and the commands of the chat.
import { eventsOf, isUse } from '../../src/core/ledger/events';
import { ToolIndex } from '../../src/core/search/toolIndex';
import { cut } from '../../src/core/util/cut';
import { groupBy } from '../../src/core/util/groupBy';
import { asObject } from '../../src/core/util/objects';
import { pause } from '../../src/core/util/timers';
import type { ToolView, TurnView } from '../../src/inspector/protocol/view';
import { type ViewFold, viewState } from '../../src/inspector/view/viewState';
import type { TurnReport } from '../../tool-search';
import { viewInputs } from '../data/viewInputs';
import { host } from '../unit/shim/host';
import asked from './asked.json';
import { countOf, reportOf } from './invariants';
import { leftAfter } from './promises';
import type { Window } from './window';

/** Checks again after a moment if something is wrong, since a server may just have come. */
export async function settled(check: () => Promise<readonly string[]>): Promise<readonly string[]> {
  return (await check()).length === 0 ? [] : pause(1_000).then(check);
}

/** The report of each turn, by its number. */
type Reports = ReadonlyMap<number, TurnReport | undefined>;

/** A figure that is shown, and what it has to be. */
export type Figure = readonly [what: string, shown: unknown, counted: unknown];

export function reportsOf({ ledger: { events } }: Window): Reports {
  return new Map([...groupBy(events, ({ turn }) => turn)].map(([turn, own]) => [turn, reportOf(own, turn)]));
}

const sum = (reports: Reports, of: (report: TurnReport) => number) =>
  [...reports.values()].reduce((total, report) => total + (report ? of(report) : 0), 0);

export const different = (figures: readonly Figure[]): readonly string[] =>
  figures.flatMap(([what, shown, counted]) => (shown === counted ? [] : [`${what}: ${shown} shown, of ${counted}`]));

/** Compares the inspector's sums over the turns, folded step by step, with those of the turns' reports. */
export function wrongTotals(fold: ViewFold, { ledger: { events }, source: { catalog } }: Window, reports: Reports) {
  const { turns, tools } = fold.fold(viewInputs({ events, catalog }), undefined);
  const used = countOf(eventsOf(events, 'called').map(({ tool }) => tool));
  const net = turns.reduce((total, { sent, baseline }) => total + baseline.value - sent.value, 0);
  return different([
    ['tokens that the inspector’s turns saved', net, sum(reports, ({ netSavedTokens }) => netSavedTokens)],
    ...tools.map(({ id, calls }): Figure => [`calls of ${id} in the inspector`, calls, used.get(id) ?? 0]),
    ['turns of the inspector', turns.length, reports.size],
    ['numbers of events', events.findIndex(({ seq }, at) => seq <= (events[at - 1]?.seq ?? 0)), -1],
  ]);
}

/**
 * Turns, tools, servers and sums that the inspector's page shows otherwise than the record, the lists of the servers and
 * a page that reads everything anew. A page follows after a moment.
 */
export function misread(window: Window, reports: Reports, settleMs: number): Promise<readonly string[]> {
  const { ledger, source } = window;
  const { events } = ledger;
  const numbers = [...reports.keys()];
  return leftAfter(settleMs, () => {
    const { page } = window;
    if (!page) return [];
    const anew = viewState(viewInputs({ events, catalog: source.catalog, pins: window.pins.current }));
    // A page has the timeline of one turn alone, and withheld tools too.
    const turns = anew.turns.map(({ events, ...row }, at) => (page.turns[at]?.events ? { ...row, events } : row));
    const tools = page.tools.filter(({ id }) => source.catalog.byId.has(id));
    const [shown, all] = [
      { ...page, tools },
      { ...anew, turns },
    ].map((state) => [...state.turns.map(turnRow), ...state.tools.map(toolRow)]);
    const other = shown?.findIndex((row, at) => row !== all?.[at]) ?? -1;
    const isSame = shown?.length === all?.length && other < 0;
    const wrong = isSame ? [] : [`a page shows ${apart(shown?.[other], all?.[other])}`];
    const figures = numbers.slice(-3).map((number): Figure => {
      const report = reports.get(number);
      const view = page.turns.find(({ turn }) => turn === number);
      const told = [report?.status, report?.calls.length, report?.queries.length, report?.rounds, report?.sentTokens];
      const shown = [view?.end?.status, view?.calls.total, view?.searches, view?.requests, view?.sent.value];
      return ['a turn of the inspector', shown.join(), told.join()];
    });
    const isCompared = (it?: TurnReport) => it?.status === 'answered' && it.sentTokens + it.baselineTokens > 0;
    const compared = new Map([...reports].filter(([, report]) => isCompared(report)));
    const { session, mode, model } = page.header;
    const sums = [session?.compared ?? 0, session?.sent.value ?? 0, session?.baseline.value ?? 0];
    const summed = [compared.size, sum(compared, (it) => it.sentTokens), sum(compared, (it) => it.baselineTokens)];
    const ids = (rows: readonly { readonly id: string }[]) => String(rows.map(({ id }) => id).sort());
    const omitted = tools.filter(({ loading }) => loading === 'omitted');
    const pins = [...tools, ...page.servers.map(({ name, pin }) => ({ id: name, pin }))].filter(
      ({ pin }) => pin !== 'auto',
    );
    const pinned = pins.map(({ id, pin }) => `${id},${pin}`).sort();
    const wanted = String([...window.pinned].flatMap(([id, pin]) => (id && pin ? `${id},${pin}` : [])).sort());
    const hidden = source.catalog.tools.filter(({ id }) => window.hides(id));
    return [
      ...wrong,
      ...different([
        ...figures,
        ['the inspector’s session', sums.join(), summed.join()],
        ['the inspector’s mode', mode, window.settings.models?.['*']?.mode ?? window.settings.mode ?? 'auto'],
        ['the inspector’s model', model?.name, eventsOf(events, 'turnStarted').at(-1)?.model.name],
        ['the inspector’s tools that no model gets', ids(omitted), ids(hidden)],
        ['the inspector’s pins', pinned.join(), wanted],
        ['the inspector’s changed tools', ids(page.tools.filter(({ changed }) => changed)), ids(source.changed)],
        ...source.catalog.servers.map(({ name, state }): Figure => {
          const row = page.servers.find((it) => it.name === name);
          return [`the inspector’s ${name}`, `${row?.state} ${row?.tools}`, `${state} ${window.offered(name).length}`];
        }),
      ]),
    ];
  });
}

/** What the status bar and the commands of the chat tell otherwise than the record and the servers' lists. */
export async function mistold(window: Window, reports: Reports): Promise<readonly string[]> {
  const { ledger, source } = window;
  if (!window.page) return [];
  const [list, stats] = [await window.tell('/tools'), await window.tell('/stats')];
  const { events } = ledger;
  const { servers } = source.catalog;
  const said = [list, stats, JSON.stringify([window.page.notices, window.page.header]), ...host.messages.splice(0)];
  const [odd] = /.{0,40}(\{\d[,}]|\bundefined\b|\bNaN\b|\[object ).{0,40}/.exec(said.join()) ?? [];
  const all = window.offered().length;
  const used = new Set(events.filter(isUse).map(({ tool }) => tool)).size;
  const bar = host.statusBar.get('toolsearch.status')?.text ?? '';
  const numbers = (text: string) => (text.replaceAll(',', '').match(/\d+/g) ?? []).map(Number);
  const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const [head = '', , counts = '', , sent = '', baseline = ''] = stats.split('\n');
  const estimated = eventsOf(events, 'turnEnded').filter((it) => it.agentTokens);
  const requested = [reports.size, eventsOf(events, 'roundEnded').length + estimated.length];
  const counted = [...requested, sum(reports, (it) => it.sentTokens), sum(reports, (it) => it.baselineTokens)];
  const text = /so far/.test(bar) ? `${all} tools so far` : `${all} tools${used > 0 ? `, ${used} used` : ''}`;
  return different([
    ...servers.map(({ name }): Figure => {
      const line = list.split('\n').find((line) => line.startsWith(`- \`${name}\` `)) ?? '';
      const counted = /: ((?:\d+ \w+(?:, )?)+)/.exec(line)?.[1] ?? '';
      return [`/tools of ${name}`, add(numbers(counted.replace(/\d+ changed/, ''))), window.offered(name).length];
    }),
    ['/stats on tools', add(numbers(head)), all],
    ['/stats', [counts, sent, baseline].flatMap(numbers).join(), counted.join()],
    ['an empty place in a text', odd, undefined],
    ['the status bar', bar.replace(/\$\(\w+\) /, ''), text],
  ]);
}

/** Queries whose hits differ from those of an index that is made anew, and a tool that its own name doesn't find first. */
export async function misfound(window: Window, turn: number): Promise<readonly string[]> {
  const { tools } = window.source.catalog;
  const index = new ToolIndex(tools);
  const named = tools[(turn * 7) % tools.length];
  if (!named) return [];
  const ownQueries = [{ query: `${named.server} ${named.name}` }, { query: `select:${named.modelName}` }];
  const queries: typeof asked.queries = [...asked.queries, ...(ownQueries as never[])];
  const hitsOf = (outcome: ReturnType<ToolIndex['search']>) =>
    outcome.ok ? outcome.hits.map(({ tool, score }) => `${tool.id} ${score}`) : [outcome.error.message];
  const wrong = await Promise.all(
    queries.map(async ({ query, strategy = 'auto', first = '' }) => {
      const request = { query, strategy, limit: 3 };
      const found = await window.search(request).then(hitsOf, String).then(String);
      const anew = String(hitsOf(index.search(request)));
      const isRight = found === anew && (first === '' || new RegExp(`^\\S*${first} `).test(found));
      return isRight ? [] : [`a search for ${query} finds ${cut(found, 200)}, and anew ${cut(anew, 200)}`];
    }),
  );
  const first = (await window.tell(`/find ${named.modelName}`)).split('\n')[0] ?? '';
  const isFirst = first.startsWith(`1. \`${named.id}\` `);
  return [
    ...wrong.flat(),
    ...(isFirst === window.hides(named.id) ? [`/find ${named.id} says ${cut(first, 200)}`] : []),
  ];
}

/** Ids of tools whose name is in a text, and not in the words that it answers. */
export const named = (text: string, ids: readonly string[], asked: string): readonly string[] =>
  ids.filter((id) => {
    const name = new RegExp(`\\b${id.replace('/', '[/_]')}\\b`);
    return name.test(text) && !name.test(asked);
  });

/** Hidden tools that the answer to a search names: for part of a hidden tool's name, as a name and as words. */
export async function misnamed(window: Window, turn: number, search: (query: string) => Promise<string>) {
  const hidden = window.source.catalog.tools.filter(({ id }) => window.hides(id));
  const { modelName = '' } = hidden[(turn * 7) % hidden.length] ?? {};
  const query = `${turn % 8 === 3 ? 'select:' : ''}${modelName.slice(0, -1)}`;
  const text = modelName ? await search(query) : '';
  const all = hidden.map(({ id }) => id);
  return named(text, all, query).map(
    (id) => `a search for ${query} names ${id}, which the user hid: ${cut(text, 200)}`,
  );
}

/** The first difference of two texts. */
function apart(one = '', other = ''): string {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return `${cut(one, 40)}…${one.slice(Math.max(0, at - 80), at + 60)}…, and anew …${other.slice(at, at + 60)}…`;
}

/** What the inspector shows of a turn or a tool that depends on what happened alone. */
const turnRow = ({ loss: _, ...row }: TurnView): string => sorted(row);
const toolRow = ({ id, title, modelName, pin, discoveredAt, calls, callMs }: ToolView): string =>
  `${id} ${sorted({ title, modelName, pin, discoveredAt, calls, callMs })}`;
export const sorted = (value: object): string =>
  JSON.stringify(value, (_, part) => (asObject(part) ? Object.fromEntries(Object.entries(part).sort()) : part));
