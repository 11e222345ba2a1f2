import { type Catalog, createCatalog, type ServerInfo } from '../../src/core/catalog/catalog';
import { type Tool, toolId } from '../../src/core/catalog/tool';
import type { LedgerEntry, LedgerEvent, LoggedHit } from '../../src/core/ledger/ledger';
import type { RoundTokens, Tokens } from '../../src/core/usage/types';

const VERBS = 'get list create update delete search move copy archive restore'.split(' ');
const NOUNS = 'issue branch commit file folder page comment label user team project board card build release'.split(
  ' ',
);
const SERVERS = 40;
const START = Date.UTC(2030, 4, 17, 9, 30);

/** A long session over many tools: figures and names invented, the same each time. */
export function bigSession(size: { readonly turns: number; readonly tools: number }): {
  catalog: Catalog;
  events: LedgerEvent[];
} {
  const tools = Array.from({ length: size.tools }, (_, index) => toolOf(index));
  const servers = [...new Set(tools.map((tool) => tool.server))].map(
    (name): ServerInfo => ({ name, state: 'running', problems: [] }),
  );
  const events: LedgerEvent[] = [];
  for (let turn = 1; turn <= size.turns; turn++) addTurn(events, turn, tools);
  return { catalog: createCatalog(1, tools, servers), events };
}

function toolOf(index: number): Tool {
  const server = `server-${index % SERVERS}`;
  const name = `${VERBS[index % VERBS.length]}_${NOUNS[Math.floor(index / 7) % NOUNS.length]}_${index}`;
  return {
    id: toolId(server, name),
    server,
    name,
    modelName: `${server}_${name}`,
    invokeName: name,
    description: `${name.replaceAll('_', ' ')} of ${server}. Use it for one known thing; choose a listing tool for many of them. Wrong ids come back as errors.`,
    inputSchema: {
      type: 'object',
      properties: {
        project: { type: 'string', description: 'The project’s id or its path' },
        id: { type: 'string', description: 'Which one it is about' },
        page: { type: 'number', description: 'Page number, from 1' },
      },
      required: ['project'],
    },
    annotations: { readOnlyHint: index % 3 === 0 },
    origin: 'mcp',
  };
}

const measured = (value: number): Tokens => ({ value, certainty: 'measured' });

function tokensOf(turn: number, round: number, tools: number): RoundTokens {
  const promptAndHistory = measured(2000 + turn * 10 + round * 400);
  const eager = measured(1400);
  const discovered = measured(round * 300);
  const searchOverhead = measured(600 + round * 200);
  const sent = [promptAndHistory, eager, discovered, searchOverhead].reduce((sum, part) => sum + part.value, 0);
  const baseline: Tokens = { value: promptAndHistory.value + tools * 110, certainty: 'estimated' };
  return { promptAndHistory, eager, discovered, searchOverhead, sent: measured(sent), baseline };
}

/**
 * One turn: a search, its discoveries, two calls, and the rounds between them, as often as there are `searches`; then
 * the answer.
 */
export function addTurn(events: LedgerEvent[], turn: number, tools: readonly Tool[], searches = 1): void {
  let at = START + turn * 60_000;
  const log = (entry: LedgerEntry) => events.push({ ...entry, seq: events.length + 1, at, turn } as LedgerEvent);
  const pick = (offset: number) => (tools[(turn * 37 + offset * 101) % tools.length] as Tool).id;
  const hit = (offset: number): LoggedHit => ({
    id: pick(offset),
    score: 20 - offset,
    matchType: 'bm25',
    terms: ['project', 'issue'],
  });
  const counts = { eager: 12, discovered: turn % 9, deferred: tools.length - 12 };
  const round = (number: number) => {
    log({ type: 'roundStarted', round: number, counts });
    at += 900;
    const tokens = tokensOf(turn, number, tools.length);
    log({ type: 'roundEnded', round: number, ms: 900, tokens, outputTokens: measured(120) });
  };
  log({
    type: 'turnStarted',
    prompt: `Question ${turn}: which of the open issues of the project need someone, and what is on the board about them?`,
    model: { id: 'model', vendor: 'vendor', name: 'Model' },
    strategy: { name: 'bm25', why: 'auto: ranks by words' },
    delivery: { name: 'local', why: 'auto: fits every model' },
    counts,
  });
  for (let first = 1; first < 2 * searches; first += 2) {
    round(first);
    at += 1;
    log({
      type: 'searched',
      round: first,
      callId: `s${turn}-${first}`,
      query: `open issues of project ${turn}`,
      strategy: 'bm25',
      ms: 0.8,
      searched: tools.length - 12,
      matched: 44,
      limit: 5,
      hits: [0, 1, 2, 3, 4].map(hit),
      below: [5, 6, 7, 8, 9].map(hit),
      failed: false,
    });
    log({
      type: 'discovered',
      round: first,
      ids: [0, 1, 2, 3, 4].map(pick),
      tokens: { value: 640, certainty: 'estimated' },
    });
    round(first + 1);
    for (const offset of [0, 1]) {
      at += 300;
      log({
        type: 'called',
        round: first + 1,
        callId: `c${turn}-${first}-${offset}`,
        tool: pick(offset),
        known: true,
        args: '{"project": "web/app", "id": "4127", "page": 2}',
        outcome: offset === 1 && turn % 10 === 0 ? 'failed' : 'ok',
        summary: '14 issues, 6.2 kB',
        resultBytes: 6200,
        withoutDiscovery: false,
        retry: 0,
        ms: 300,
      });
    }
  }
  round(2 * searches + 1);
  log({ type: 'turnEnded', status: 'answered', ms: at - (START + turn * 60_000) });
}
