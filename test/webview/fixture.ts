import { createCatalog, type ServerInfo } from '../../src/core/catalog/catalog';
import { type Tool, toolId } from '../../src/core/catalog/tool';
import type { LedgerEntry, LedgerEvent, LoggedHit } from '../../src/core/ledger/ledger';
import { NO_PINS } from '../../src/core/settings/pins';
import type { RoundTokens } from '../../src/core/usage/types';
import type { ToolLoading, ViewInputs } from '../../src/inspector/protocol/inputs';
import type { ToolDetail, ViewState } from '../../src/inspector/protocol/view';
import { toolDetail } from '../../src/inspector/view/toolDetail';
import { viewState } from '../../src/inspector/view/viewState';
import { called, estimated, measured, searched, sentTokens, started } from '../data/entries';
import { spoken, viewInputs } from '../data/viewInputs';
import { fixtureSuggestions } from './suggestionsFixture';

/** An invented session over invented servers, for tests and for pictures. */
export const SERVERS: { readonly [server: string]: { readonly verbs: string; readonly nouns: string } } = {
  atlas: { verbs: 'get list search geocode', nouns: 'place route region' },
  bakery: { verbs: 'get list order cancel', nouns: 'cake bread delivery' },
  calendar: { verbs: 'create list update delete', nouns: 'event attendee reminder' },
  diary: { verbs: 'read write', nouns: 'decision' },
  forge: {
    verbs: 'create get list update delete retry comment_on merge',
    nouns: 'issue pipeline pipeline_job merge_request branch release_note',
  },
  harbour: { verbs: 'deploy scale restart describe logs_of exec_in', nouns: 'pod service workload' },
  ledgerbook: { verbs: 'post get list reconcile', nouns: 'entry account statement' },
  library: { verbs: 'read write search', nouns: 'note' },
  telescope: { verbs: 'point expose stack', nouns: 'camera mount' },
  weather: { verbs: 'forecast measure', nouns: 'rain wind tide' },
};
export const NOW = Date.UTC(2030, 4, 17, 9, 30);

const ARGS: { readonly [name: string]: { readonly type: string; readonly description: string } } = {
  project: { type: 'string', description: 'The project’s id or its path' },
  id: { type: 'string', description: 'Which one it is about' },
  scope: { type: 'string', description: 'Only those in this state' },
  page: { type: 'number', description: 'Page number, from 1' },
  per_page: { type: 'number', description: 'Items a page, 100 at the most' },
  include_archived: { type: 'boolean', description: 'Archived ones too' },
};

export function fixtureTools(): Tool[] {
  const tools: Tool[] = [];
  for (const [server, { verbs, nouns }] of Object.entries(SERVERS)) {
    for (const noun of nouns.split(' ')) {
      for (const verb of verbs.split(' ')) tools.push(makeTool(server, `${verb}_${noun}`));
    }
  }
  return tools;
}

export function makeTool(server: string, name: string): Tool {
  const words = name.replaceAll('_', ' ');
  const size = 2 + (hash(server + name) % 5);
  return {
    id: toolId(server, name),
    server,
    name,
    modelName: `${server}_${name}`,
    invokeName: `mcp_${server}_${name}`,
    description: `${words[0]?.toUpperCase()}${words.slice(1)} in ${server}. Use this for one known thing; choose a listing tool for many of them. Missing things, wrong ids and rate limits come back as errors.`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(ARGS).slice(0, size)),
      required: ['project'],
    },
    annotations: { readOnlyHint: /^(get|list|search|read)/.test(name), openWorldHint: true },
    origin: 'mcp',
  };
}

export function tokensOf(tool: Tool) {
  return estimated(90 + (hash(tool.id) % 420) + (hash(tool.name) % 13 === 0 ? 600 : 0));
}

const FOUND = new Set([
  'forge/list_pipeline_job',
  'forge/get_pipeline_job',
  'harbour/logs_of_pod',
  'harbour/exec_in_pod',
  'forge/comment_on_issue',
]);

export function fixtureLoading(tools: readonly Tool[]): Map<string, ToolLoading> {
  return new Map(tools.map((tool) => [tool.id, loadingOf(tool, tools.length)]));
}

function loadingOf(tool: Tool, total: number): ToolLoading {
  if (tool.server === 'library')
    return { loading: 'eager', reason: 'pinned: server', reasonLong: 'rule 1, pinned: server library is eager' };
  const always = 'rule 5, hint: the server asks to be always loaded';
  if (tool.server === 'weather') return { loading: 'eager', reason: 'server: alwaysLoad', reasonLong: always };
  if (tool.id === 'forge/delete_branch')
    return { loading: 'deferred', reason: 'pinned: tool', reasonLong: 'rule 1, pinned: the tool is deferred' };
  const reason = `auto: ${total} tools > 30`;
  const reasonLong = `rule 7, mode auto: ${total} tools are more than auto.maxTools (30)`;
  return { loading: FOUND.has(tool.id) ? 'discovered' : 'deferred', reason, reasonLong };
}

export function fixtureServers(): ServerInfo[] {
  const running = Object.keys(SERVERS).map((name): ServerInfo => ({ name, state: 'running', problems: [] }));
  return [...running, { name: 'archive', state: 'stopped', problems: [] }];
}

export function fixtureInputs(change: Partial<ViewInputs> = {}): ViewInputs {
  const tools = fixtureTools();
  return viewInputs({
    events: fixtureEvents(),
    catalog: createCatalog(3, tools, fixtureServers()),
    loading: fixtureLoading(tools),
    tokensOf,
    pins: { tools: { 'forge/delete_branch': 'deferred' }, servers: { library: 'eager' } },
    strategy: { name: 'bm25', why: 'auto: fits every model' },
    delivery: { name: 'client', why: 'set in workspace settings' },
    suggestions: fixtureSuggestions(),
    now: NOW,
    ...change,
  });
}

export const fixtureState = (change: Partial<ViewInputs> = {}): ViewState => viewState(fixtureInputs(change));

export function fixtureDetail(id: string): ToolDetail {
  const [server = '', name = ''] = id.split('/');
  return toolDetail(makeTool(server, name), spoken(), { tools: [], count: estimated, hinted: true });
}

/** The session with the model "Search only (no AI)". */
function noModelState(): ViewState {
  const model = { vendor: 'toolsearch', id: 'search-only', name: 'Search only (no AI)' };
  return fixtureState({
    events: fixtureEvents().map((event) => (event.type === 'turnStarted' ? { ...event, model } : event)),
  });
}

/** The price of a token in US dollars. */
const PRICE = 3e-6;

/**
 * The session with prices. The rounds of turn 3 saved tokens but cost more because of a cache, which its second round
 * missed.
 */
export const cacheState = (): ViewState => fixtureState({ events: pricedEvents() });

export function pricedEvents(): LedgerEvent[] {
  return fixtureEvents().map((event): LedgerEvent => {
    if (event.type !== 'roundEnded') return event;
    const { tokens } = event;
    const [sent, baseline] = event.turn === 3 ? [9_000, 7_500] : [tokens.sent.value, tokens.baseline.value];
    const parts = { promptAndHistory: sent - 4_000, eager: 500, discovered: 500, searchOverhead: 3_000 };
    const usd = { sent: sent * PRICE, baseline: baseline * PRICE };
    const priced = { ...event, tokens: { ...tokens, cost: { sent, baseline, parts, usd } } };
    if (event.turn !== 3 || event.round !== 2) return priced;
    const broke = { cause: 'listed' as const, tool: 'diary/add' };
    return { ...priced, prefix: { same: measured(512), lost: measured(12_345), broke } };
  });
}

/** The session whose newest turn failed after a call, and whose second turn was stopped. */
function failedState(): ViewState {
  const statuses = { 2: ['cancelled', undefined], 3: ['failed', 'The service answered with error 500.'] } as const;
  const events = fixtureEvents().map((event): LedgerEvent => {
    if (event.type !== 'turnEnded' || (event.turn !== 2 && event.turn !== 3)) return event;
    const [status, message] = statuses[event.turn];
    return { ...event, status, ...(message === undefined ? {} : { message }) };
  });
  return fixtureState({ events });
}

/** States with some problem, by name. */
export const FIXTURE_STATES: { readonly [name: string]: () => ViewState } = {
  empty: () => fixtureState({ events: [], catalog: createCatalog(0, [], []), loading: new Map(), pins: NO_PINS }),
  noturns: () =>
    fixtureState({ events: [], suggestions: fixtureSuggestions({ items: [], more: 0, done: [], dismissed: 0 }) }),
  loading: () => {
    const tools = fixtureTools().filter((tool) => tool.server !== 'forge' && tool.server !== 'harbour');
    const servers = fixtureServers().map((server): ServerInfo => {
      if (server.name === 'forge') return { ...server, state: 'starting', detail: 'listing tools' };
      return server.name === 'harbour'
        ? { ...server, state: 'starting', detail: 'waiting for its first answer' }
        : server;
    });
    return fixtureState({
      events: [],
      catalog: createCatalog(1, tools, servers),
      startingSince: new Map([
        ['forge', NOW - 6200],
        ['harbour', NOW - 4100],
      ]),
    });
  },
  error: () => {
    const failed: ServerInfo = {
      name: 'post-office',
      state: 'failed',
      detail: 'exited with code 1 before it answered\nError: Cannot find module .left-pad.',
      problems: [],
    };
    const servers = fixtureServers().map((server) =>
      server.name === 'harbour'
        ? { ...server, problems: ['1 tool left out: its input schema isn’t an object.'] }
        : server,
    );
    return fixtureState({ catalog: createCatalog(4, fixtureTools(), [...servers, failed]) });
  },
  diagnosed: () =>
    fixtureState({
      diagnostics: [
        { severity: 'warning', source: 'toolsearch.eagerTools', message: '“forge/delte_*” matches no tool of forge.' },
        { severity: 'error', source: 'toolsearch.maxResults', message: '“many” is no number; 5 is used.' },
      ],
    }),
  many: () => {
    const tools = Array.from({ length: 10_000 }, (_, i) => makeTool(`server${i % 20}`, `tool_${i}`));
    const servers = Array.from(
      { length: 20 },
      (_, i): ServerInfo => ({ name: `server${i}`, state: 'running', problems: [] }),
    );
    return fixtureState({ catalog: createCatalog(9, tools, servers), loading: fixtureLoading(tools), events: [] });
  },
  cache: cacheState,
  failed: failedState,
  nomodel: noModelState,
  scripts: () => fixtureState({ events: scriptEvents() }),
  untrusted: () => {
    const tools = fixtureTools().filter((tool) => tool.server === 'library');
    const servers = fixtureServers().map(
      (server): ServerInfo =>
        server.name === 'library'
          ? server
          : { ...server, state: 'untrusted', detail: 'from .vscode/mcp.json, not started' },
    );
    return fixtureState({ events: [], trusted: false, catalog: createCatalog(1, tools, servers) });
  },
};

const ONE_FOUND = { eager: 9, discovered: 1, deferred: 110 };
const MODEL = { id: 'sonnet', vendor: 'Anthropic', name: 'Claude Sonnet 4.5' };
const ALL_DEFINITIONS = 48_130;

/** One round's figures. `sent` is the measured total, and its parts add up to it. */
export function round(
  prompt: number,
  eager: number,
  discovered: number,
  search: number,
  cacheRead: number,
  all = ALL_DEFINITIONS,
): RoundTokens {
  const sent = sentTokens({ promptAndHistory: prompt, eager, discovered, searchOverhead: search }, all);
  return { ...sent, baseline: estimated(prompt + all), cacheRead };
}

export function hit(id: string, score: number, terms: string): LoggedHit {
  return { id, score, matchType: 'bm25', terms: terms.split(' ').filter(Boolean) };
}

type Counts = { readonly eager: number; readonly discovered: number; readonly deferred: number };
type Searched = Partial<LedgerEntry & { type: 'searched' }>;
type Called = Partial<LedgerEntry & { type: 'called' }>;

/** Records a turn's events with their times. */
export class Script {
  readonly events: LedgerEvent[] = [];
  #at: number;
  #round = 0;

  constructor(
    readonly first: number,
    readonly turn: number,
    private readonly start: number,
    prompt: string,
    readonly counts: Counts,
  ) {
    this.#at = start;
    const choices = { strategy: { name: 'bm25', why: 'auto' }, delivery: { name: 'client', why: 'set' } };
    this.log(started({ prompt, model: MODEL, counts, ...choices }));
  }

  log(entry: LedgerEntry): void {
    this.events.push({ ...entry, seq: this.first + this.events.length, at: this.#at, turn: this.turn } as LedgerEvent);
  }

  round(ms: number, tokens: RoundTokens, output = 60): void {
    this.#round++;
    this.log({ type: 'roundStarted', round: this.#round, counts: this.counts });
    this.#at += ms;
    this.log({ type: 'roundEnded', round: this.#round, ms, tokens, outputTokens: measured(output) });
  }

  /** A search with its hits and those below them. The limit is two, unless `more` has another. */
  search(query: string, hits: readonly LoggedHit[], below: readonly LoggedHit[], more: Searched): void {
    this.#at += 1;
    const place = { round: this.#round, callId: `s${this.events.length}`, limit: 2 };
    this.log(searched(query, { ...place, hits: [...hits], below: [...below], ...more }));
  }

  /** A search that finds nothing. */
  searchInVain(query: string, tools: number, note = ''): void {
    const nothing = { ms: 0.31, searched: tools, matched: 0, limit: 5 };
    this.search(query, [], [], { ...nothing, note: `No tools found for “${query}”.${note}` });
  }

  found(tokens: number, ...ids: string[]): void {
    this.log({ type: 'discovered', round: this.#round, ids, tokens: estimated(tokens) });
  }

  call(tool: string, args: string, summary: string, ms: number, more: Called = {}): void {
    this.#at += ms;
    const place = { round: this.#round, callId: `c${this.events.length}`, resultBytes: 1900 };
    this.log(called(tool, { ...place, args, summary, ms, ...more }));
  }

  /** A script and its calls, with the number of calls of each tool. */
  script(
    title: string,
    code: string,
    calls: readonly { readonly tool: string; readonly times: number; readonly failed?: number }[],
    end: Partial<LedgerEntry & { type: 'scriptEnded' }> = {},
  ): void {
    const callId = `k${this.events.length}`;
    const round = this.#round;
    this.log({ type: 'scriptStarted', round, callId, title, code });
    for (const { tool, times, failed = 0 } of calls) {
      for (let i = 0; i < times; i++) {
        const outcome = i < failed ? ('failed' as const) : ('ok' as const);
        const summary = outcome === 'ok' ? `row ${i} of many` : 'There is no such record.';
        this.call(tool, `{"index":${i}}`, summary, 40, { outcome, script: callId });
      }
    }
    const sum = calls.reduce((all, { times }) => all + times, 0);
    this.#at += 60;
    this.log({
      type: 'scriptEnded',
      round,
      callId,
      outcome: 'ok',
      ms: sum * 40 + 60,
      computeMs: 12.5,
      calls: sum,
      failed: calls.reduce((all, { failed = 0 }) => all + failed, 0),
      servers: [...new Set(calls.map(({ tool }) => tool.split('/')[0] ?? ''))],
      returnedChars: sum * 1_900,
      countedChars: sum * 1_900,
      outputChars: 64,
      output: '{"open":7,"oldest":"2029-11-02"}',
      ...end,
    });
  }

  end(): void {
    this.log({ type: 'turnEnded', status: 'answered', ms: this.#at - this.start });
  }
}

const COUNTING = `// Which open issues are oldest?
const issues = await tools.forge_list_issue({ state: "open", per_page: 100 });
const details = await Promise.all(issues.items.map((it) => tools.forge_get_issue({ number: it.number })));
const dates = details.map((it) => it.created_at).sort();
return { open: details.length, oldest: dates[0] };`;

/** A turn of scripts: a successful one, a failed one, and one as long and as busy as possible. */
export function scriptEvents(): LedgerEvent[] {
  const turn = new Script(1, 1, NOW - 60_000, 'How old is the oldest open issue?', ONE_FOUND);
  turn.round(1500, round(5240, 3120, 0, 877, 4480));
  turn.script('Oldest open issue', COUNTING, [
    { tool: 'forge/list_issue', times: 1 },
    { tool: 'forge/get_issue', times: 24, failed: 1 },
  ]);
  turn.round(1200, round(5640, 3120, 0, 877, 4480));
  turn.script(
    'Close the old ones',
    `const old = [1, 2, 3];\nfor (const number of old) {\n  await tools.forge_update_issue({ number, state: "closed" });\n}`,
    [{ tool: 'forge/update_issue', times: 3, failed: 1 }],
    {
      outcome: 'failed',
      line: 3,
      note: 'line 3, column 35: forge_update_issue: There is no such record.',
      output:
        'line 3, column 35: forge_update_issue: There is no such record.\n> await tools.forge_update_issue({ number, state: "closed" });\nThese calls ran, and what they changed stays: forge_update_issue ×2.',
    },
  );
  turn.round(1200, round(5940, 3120, 0, 877, 4480));
  const long = Array.from({ length: 400 }, (_, i) => `const row${i} = await tools.diary_read_decision({ id: ${i} });`)
    .join('\n')
    .slice(0, 20_000);
  turn.script('Read it all', long, [{ tool: 'diary/read_decision', times: 200 }]);
  turn.end();
  return turn.events;
}

/** Three turns: one that cost more than it saved, a plain one, and one with most of the possible events. */
export function fixtureEvents(): LedgerEvent[] {
  const counts = { eager: 22, discovered: 0, deferred: 17 };
  const one = new Script(1, 1, NOW - 900_000, 'What did we decide about the login retries?', counts);
  one.round(1100, round(3060, 2380, 0, 604, 0, 4480));
  one.searchInVain('login retry decision', 17);
  one.round(1240, round(3370, 2380, 640, 1400, 5400, 4480));
  const inDiary = { server: 'diary', ms: 0.21, searched: 17, matched: 3, limit: 5 };
  one.search('read decisions', [hit('diary/read_decision', 2.4, 'decision')], [], inDiary);
  one.found(640, 'diary/read_decision');
  one.round(1310, round(3640, 2380, 640, 2660, 6100, 4480));
  one.searchInVain('meeting decision', 16);
  one.round(1480, round(3930, 2380, 640, 3540, 6900, 4480), 140);
  one.end();

  const question = 'Which open issues mention the flaky login test, and who is on them?';
  const two = new Script(100, 2, NOW - 600_000, question, ONE_FOUND);
  two.round(1500, round(5240, 3120, 0, 612, 4480));
  two.search(
    'open issues',
    [hit('forge/list_issue', 9.8, 'issue'), hit('forge/get_issue', 9.1, 'issue')],
    [hit('forge/update_issue', 8.2, 'issue')],
    { ms: 0.4, searched: 111, matched: 12 },
  );
  two.found(520, 'forge/list_issue', 'forge/get_issue');
  two.round(1620, round(6872, 3120, 520, 1180, 8812));
  two.call('forge/list_issue', '{"project": "web/app", "scope": "open"}', '14 issues, 6.2 kB', 640);
  two.round(1420, { ...round(8105, 3120, 520, 1180, 0), cacheRead: undefined, sent: estimated(12_925) }, 180);
  two.end();

  return [...one.events, ...two.events, ...pipelineTurn()];
}

function pipelineTurn(): LedgerEvent[] {
  const three = new Script(
    200,
    3,
    NOW - 60_000,
    'Why is the nightly pipeline red? Find the failing pod’s logs and comment on the tracking issue.',
    { eager: 9, discovered: 5, deferred: 105 },
  );
  three.round(1860, round(9812, 3120, 0, 612, 8730));
  three.search(
    'list jobs of a pipeline',
    [hit('forge/list_pipeline_job', 10.51, 'list pipeline job'), hit('forge/get_pipeline_job', 9.57, 'pipeline job')],
    [
      hit('forge/retry_pipeline_job', 9.36, 'pipeline job'),
      hit('forge/list_pipeline', 8.61, 'list pipeline'),
      hit('forge/get_pipeline', 6.58, 'pipeline'),
    ],
    { ms: 0.42, searched: 110, matched: 38 },
  );
  three.found(555, 'forge/list_pipeline_job', 'forge/get_pipeline_job');
  three.round(1420, round(10_180, 3120, 555, 1390, 13_400));
  const jobs = '{"project": "web/app", "id": "88213", "scope": "failed"}';
  three.call('forge/list_pipeline_job', jobs, '2 jobs, 1.9 kB', 840);
  three.call('forge/get_pipeline', '{"project": "web/app", "id": "551902"}', '38.4 kB, cut to 16 kB', 1310, {
    withoutDiscovery: true,
  });
  readPodLogs(three);
  commentOnIssue(three);
  three.end();
  return three.events;
}

function readPodLogs(three: Script): void {
  three.round(2050, round(11_064, 3120, 810, 1390, 14_700));
  three.searchInVain(
    'workflow argo status',
    108,
    ' Nearest names: list_workload, describe_workload. archive is stopped and could not be searched.',
  );
  three.search(
    'pod container logs',
    [hit('harbour/logs_of_pod', 15.82, 'pod logs'), hit('harbour/exec_in_pod', 11.99, 'pod')],
    [hit('harbour/restart_pod', 3.54, 'pod'), hit('library/read_note', 0.6, '')],
    { ms: 0.38, searched: 108, matched: 9 },
  );
  three.found(718, 'harbour/logs_of_pod', 'harbour/exec_in_pod');
  three.round(1700, round(12_391, 3120, 1528, 2480, 16_400));
  three.call('harbour/logs_of_pod', '{"project": "e2e-runner-7f9c"}', 'namespace "default": pod not found', 220, {
    outcome: 'failed',
  });
  three.call('harbour/logs_of_pod', '{"project": "e2e-runner-7f9c", "id": "ci"}', '9.1 kB', 470, { retry: 1 });
  three.call('harbour/exec_in_pod', '{"project": "e2e-runner-7f9c", "scope": "df -h"}', 'you chose Skip', 3100, {
    outcome: 'refused',
  });
}

function commentOnIssue(three: Script): void {
  three.round(1660, round(13_420, 3120, 1528, 2480, 18_900));
  three.search(
    'comment on issue',
    [hit('forge/comment_on_issue', 12.07, 'comment issue'), hit('forge/comment_on_release_note', 7.41, 'comment')],
    [hit('forge/create_issue', 4.59, 'issue')],
    { ms: 0.35, searched: 106, matched: 21 },
  );
  three.found(234, 'forge/comment_on_issue', 'forge/comment_on_release_note');
  three.round(1240, round(13_958, 3120, 1762, 2860, 19_604), 140);
  three.call('forge/comment_on_issue', '{"project": "web/app", "id": "4127", "scope": "…"}', 'comment 2291847', 620);
  three.round(1900, round(14_310, 3120, 1762, 2860, 20_900), 212);
}

/** A small, stable hash. Similar texts have different values. */
function hash(text: string): number {
  let value = 7;
  for (const char of text) value = (value * 31 + (char.codePointAt(0) ?? 0)) % 9973;
  return value;
}
