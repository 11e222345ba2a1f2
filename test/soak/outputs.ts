// Rules on what else leaves a window: exports, dollars, reports, answers to the inspector's page.
import type { Tool } from '../../src/core/catalog/tool';
import { eventsOf, type LedgerEvent } from '../../src/core/ledger/events';
import type { ModelRequest } from '../../src/core/ports';
import { cut } from '../../src/core/util/cut';
import { groupBy } from '../../src/core/util/groupBy';
import { KEYS, type StandInRequest } from '../standin/server.mjs';
import { Uri } from '../unit/shim/basics';
import { host } from '../unit/shim/host';
import asked from './asked.json';
import { type Happened, reportOf, SECRET } from './invariants';
import { KNOWN_EVERY, type Plan } from './plan';
import { mispressed } from './pressed';
import { different, type Figure, misnamed, sorted } from './shown';
import type { Window } from './window';

/** Exports the session as a user does who makes these choices. */
async function exported(...labels: readonly string[]): Promise<string> {
  const file = Uri.file('/exported.json');
  const { choose } = host;
  host.picked = file as unknown as NonNullable<typeof host.picked>;
  host.choose = (items) => items.find(({ label }) => labels.includes(label));
  await host.registered.get('toolsearch.exportSession')?.();
  host.choose = choose;
  const text = new TextDecoder().decode(host.files.get(file.toString()));
  host.files.delete(file.toString());
  return text;
}

/** What an export without contents lacks. */
const CONTENTS = /^(prompt|query|server|note|terms|args|summary|title|code|output|message)$/;
const FILLED = /"(prompt|query|note|args|summary|title|code|output|message)":"[^"].{0,40}|call\.(arguments|result)"/;
const figuresOf = (event: Partial<LedgerEvent> = {}) =>
  JSON.stringify(event, (key, value) =>
    CONTENTS.test(key) || (key === 'tool' && 'known' in event && !event.known) ? undefined : value,
  );
/** Whether a text is another one, with some secrets removed. */
const isMadeOf = (text: string, whole: string) => {
  const pieces = text.split('[secret]');
  const end = pieces.reduce((at, piece) => (at < 0 ? at : whole.indexOf(piece, at)), 0);
  return end >= 0 && (pieces.length > 1 || text === whole);
};

/** What exports have otherwise than the record, and secrets in them. */
async function misexported({ ledger: { events }, source }: Window): Promise<readonly string[]> {
  const [all, bare] = ['With prompts and results', 'Without prompts and results'];
  const texts = [await exported('JSON', all), await exported('JSON', bare), await exported('OTLP', bare)];
  texts.push(await exported('OTLP', all));
  const told = host.messages.slice(-texts.length).map((text) => /without|with/.exec(text)?.[0]);
  const [whole, figures, trace, full] = texts.map((text) => JSON.parse(text));
  const { spans } = trace.resourceSpans[0].scopeSpans[0];
  const values: readonly string[] = full.resourceSpans[0].scopeSpans[0].spans.flatMap(({ attributes }: Span) =>
    attributes.map(({ value }) => String(Object.values(value)[0])),
  );
  const [known, cleaned] = [new Set(values), values.filter((value) => value.includes('[secret]'))];
  const lost = eventsOf(events, 'called').flatMap(({ args, summary }) =>
    [args, summary].filter((text) => text && !known.has(text) && !cleaned.some((value) => isMadeOf(value, text))),
  );
  const wrong = events.find((event, at) => !isMadeOf(JSON.stringify(whole.events[at]), JSON.stringify(event)));
  const other = events.find((event, at) => !isMadeOf(figuresOf(figures.events[at]), figuresOf(event)));
  const [contents] = FILLED.exec(JSON.stringify([figures.events, spans])) ?? [];
  const secret = [...Object.values(KEYS), SECRET, ...asked.keys].find((it) => texts.join().includes(it));
  const { tools, byId } = source.catalog;
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).join();
  return [
    ...(wrong ? [`an export differs from ${cut(JSON.stringify(wrong), 300)}`] : []),
    ...(other ? [`an export without contents differs from ${cut(JSON.stringify(other), 300)}`] : []),
    ...(contents ? [`an export without contents has ${contents}`] : []),
    ...lost.slice(0, 1).map((text) => `an export of spans with contents lacks ${cut(text, 200)}`),
    ...(secret ? [`an export has the secret ${secret}`] : []),
    ...different([
      ['what is told of exports', told.join(), 'with,without,without,with'],
      ['events of an export', whole.events.length, events.length],
      ['tools of an export', ids(whole.tools.filter(({ id }: Tool) => byId.has(id))), ids(tools)],
      ...[...groupBy(events, ({ turn }) => turn).values()].flatMap((own) => spanFigures(spans, own)),
    ]),
  ];
}

interface Span extends Readonly<Record<'traceId' | 'name', string>> {
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

const add = <Item>(all: readonly Item[], of: (item: Item) => number) => all.reduce((sum, item) => sum + of(item), 0);

/** Compares the spans of a turn with its record and report. */
function spanFigures(spans: readonly Span[], events: readonly LedgerEvent[]): readonly Figure[] {
  const report = reportOf(events, events[0]?.turn ?? 0);
  const value = ({ attributes }: Span, name: string) =>
    String(Object.values(attributes.find(({ key }) => key === name)?.value ?? [])[0]);
  const root = spans.find((it) => value(it, 'toolsearch.turn') === String(events[0]?.turn));
  const own = spans.filter(({ traceId }) => traceId === root?.traceId);
  const chats = own.filter(({ name }) => name.startsWith('chat '));
  if (!report) return [];
  const figures = ['status', 'tokens.sent', 'tokens.baseline', 'tokens.net_saved'];
  const shown = [
    ...figures.map((name) => root && value(root, `toolsearch.${name}`)),
    add(chats, (chat) => Number(value(chat, 'gen_ai.usage.input_tokens')) || 0),
    own.flatMap(({ name }) => /^execute_tool (.*)/.exec(name)?.[1] ?? []).sort(),
  ];
  const ran = eventsOf(events, 'called').map((it) => (it.known ? it.tool : 'unknown'));
  ran.push(...report.queries.map(() => 'search_tools'), ...report.scripts.map(() => 'run_code'));
  const counted = [report.status, report.sentTokens, report.baselineTokens, report.netSavedTokens];
  const read = add(eventsOf(events, 'roundEnded'), ({ tokens }) => tokens.sent.value);
  return [['spans of a turn', shown.join(), [...counted, read, ran.sort()].join()]];
}

/** The list prices of each model. */
const prices: { readonly [model: string]: { read: number; write: number; usd: number } } = asked.prices;

/** Requests with every definition whose dollars aren't those of their tokens, or that have more of them in the cache. */
function misvalued(events: readonly LedgerEvent[]): readonly string[] {
  const models = new Map(eventsOf(events, 'turnStarted').map(({ turn, model }) => [turn, model.id]));
  return eventsOf(events, 'roundEnded').flatMap(({ turn, tokens: { baseline, baselineCache, cost } }) => {
    const [price, { read, write } = { read: 0, write: 0 }] = [prices[models.get(turn) ?? ''], baselineCache];
    if (!price || !cost?.usd) return [];
    const fresh = baseline.value - read - write;
    const dollars = (Math.round(fresh + read * price.read + write * price.write) * price.usd) / 1e6;
    const [told, is] = [cost.usd.baseline, dollars].map((usd) => usd.toFixed(6));
    return fresh >= 0 && told === is ? [] : [`with every definition, ${fresh} fresh tokens cost $${told}, not $${is}`];
  });
}

/** Dollars of requests that differ from what the service counted, at the list prices. */
export function mispriced(requests: readonly StandInRequest[], events: readonly LedgerEvent[]): readonly string[] {
  const dollars = add(requests, ({ body, usage = {} }) => {
    const { read: reading = 0, write: writing = 0, usd = 0 } = prices[(body as { model: string }).model] ?? {};
    const { input_tokens_details: inner, cache_read_input_tokens: cached, cache_creation_input_tokens: added } = usage;
    const [read, write] = [cached ?? inner?.cached_tokens ?? 0, added ?? inner?.cache_write_tokens ?? 0];
    const fresh = (usage.input_tokens ?? 0) - (inner ? read + write : 0);
    return (Math.round(fresh + read * reading + write * writing) * usd) / 1e6;
  });
  const told = eventsOf(events, 'roundEnded').flatMap(({ tokens }) => tokens.cost?.usd?.sent ?? []);
  const [paid, shown] = [dollars, add(told, (one) => one)].map((sum) => sum.toFixed(6));
  const wrong = told.length < requests.length || paid === shown ? [] : [`requests cost $${shown}, not $${paid}`];
  return [...wrong, ...misvalued(events)];
}

/** A text that requests lack although something was done, or have although it wasn't. */
export function unlike(
  { sends = '', course }: Pick<Plan, 'sends' | 'course'>,
  request?: ModelRequest,
): readonly string[] {
  // The chat goes on to have what was sent.
  const isThere = JSON.stringify(course ? [request?.system, request?.tools] : request)?.includes(sends);
  if (sends === '' || !request || isThere === (course === undefined)) return [];
  return [`a request ${isThere ? 'has' : 'lacks'} ${sends}`];
}

/** What other extensions are told of turns that ended, otherwise than the record. */
export function misreported(
  told: Window['told'],
  events: readonly LedgerEvent[],
  all: readonly Pick<Happened, 'turn'>[],
) {
  const textOf = (report: object = {}) => sorted({ ...report, answer: '' });
  const known = all.map(({ turn }) => textOf(reportOf(events, turn)));
  return different([['reports of turns', told.map(textOf).sort().join(), known.sort().join()]]);
}

/** What the inspector's page is answered otherwise than a search finds and the servers' lists have. */
async function misanswered(window: Window, turn: number, search: (query: string) => Promise<unknown>) {
  const { tools } = window.source.catalog;
  const tool = tools[(turn * 11) % tools.length];
  if (!window.page || !tool) return [];
  const queries = [tool.name, `${tool.server} ${tool.name}`, 'add two numbers', `select:${tool.modelName}`];
  const query = queries[Math.floor(turn / KNOWN_EVERY) % queries.length] ?? '';
  const given = await window.inquire({ type: 'getTool', id: tool.id });
  await search(query);
  const found = eventsOf(window.ledger.events, 'searched').at(-1);
  const question = { query, scope: 'all', mode: 'query' } as const;
  const whole = await window.inquire({ type: 'play', question });
  const [column] = whole?.type === 'played' && whole.answer.mode === 'query' ? whole.answer.columns : [];
  const hits = column?.hits ?? [];
  const isScored = /^(bm25|keywords)$/.test(column?.strategy ?? '');
  const rows = (all: readonly { readonly id: string; readonly score?: number }[] = []) =>
    all.map(({ id, score }) => `${id} ${isScored ? score : ''}`).join();
  const detail = given?.type === 'tool' ? given.detail : undefined;
  const told = [detail?.description, ...(detail?.args ?? []).map((arg) => `${arg.name} ${arg.required}`)];
  const { properties = {}, required = [] } = tool.inputSchema as { properties?: object; required?: readonly string[] };
  const known = [tool.description, ...Object.keys(properties).map((name) => `${name} ${required.includes(name)}`)];
  return different([
    ['the details of a tool', told.slice(0, 9).join(), known.slice(0, 9).join()],
    [`the playground for ${query}`, rows(hits.slice(0, column?.returned)), rows(found?.hits)],
    ['matches of the playground', [column?.matched, column?.searched].join(), [found?.matched, found?.searched].join()],
    ['ranks of the playground', hits.map((hit) => hit.rank).join(), hits.map((_, at) => at + 1).join()],
    ['hidden tools of the playground', hits.filter(({ id }) => window.hides(id)).length, 0],
  ]);
}

/** Requests to the endpoint that aren't refused (without its token, with another one, of a web page), and {@link misnamed}. */
async function misguarded(window: Window, turn: number, search: (query: string) => Promise<string>) {
  const { url, headers } = window.address;
  const strange = [{}, { Authorization: 'Bearer other' }, { ...headers, Origin: 'https://example.com' }] as object[];
  const got = await Promise.all(
    strange.map((each) => fetch(url, { method: 'POST', headers: { ...each }, body: '{}' })),
  );
  await Promise.all(got.map((it) => it.text()));
  const refused = different([['refusals of the endpoint', got.map(({ status }) => status).join(), '401,401,403']]);
  return [...refused, ...(await misnamed(window, turn, search))];
}

/** The rules that are checked every few turns, in turns. */
export async function misput(window: Window, turn: number, search: (query: string) => Promise<string>) {
  const checks = [misanswered, misexported, mispressed, misguarded];
  return (await checks[turn % KNOWN_EVERY]?.(window, turn, search)) ?? [];
}
