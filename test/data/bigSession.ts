import { type Catalog, createCatalog, type ServerInfo } from '../../src/core/catalog/catalog';
import { type Tool, toolId } from '../../src/core/catalog/tool';
import type { LedgerEntry, LedgerEvent, LoggedHit } from '../../src/core/ledger/ledger';
import type { RoundTokens } from '../../src/core/usage/types';
import { called, estimated, hit, measured, searched, sentTokens } from './entries';

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

function tokensOf(turn: number, round: number, tools: number): RoundTokens {
  const parts = {
    promptAndHistory: 2000 + turn * 10 + round * 400,
    ...{ eager: 1400, discovered: round * 300, searchOverhead: 600 + round * 200 },
  };
  return { ...sentTokens(parts, 0), baseline: estimated(parts.promptAndHistory + tools * 110) };
}

/**
 * One turn: a search, its discoveries, two calls, and the rounds between them, as often as there are `searches`; then
 * the answer.
 */
export function addTurn(events: LedgerEvent[], turn: number, tools: readonly Tool[], searches = 1): void {
  let at = START + turn * 60_000;
  const log = (entry: LedgerEntry) => events.push({ ...entry, seq: events.length + 1, at, turn } as LedgerEvent);
  const pick = (offset: number) => (tools[(turn * 37 + offset * 101) % tools.length] as Tool).id;
  const hitAt = (offset: number): LoggedHit => ({ ...hit(pick(offset), 20 - offset), terms: ['project', 'issue'] });
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
    log(
      searched(`open issues of project ${turn}`, {
        ...{ round: first, callId: `s${turn}-${first}`, ms: 0.8, searched: tools.length - 12, matched: 44 },
        ...{ hits: [0, 1, 2, 3, 4].map(hitAt), below: [5, 6, 7, 8, 9].map(hitAt) },
      }),
    );
    log({ type: 'discovered', round: first, ids: [0, 1, 2, 3, 4].map(pick), tokens: estimated(640) });
    round(first + 1);
    for (const offset of [0, 1]) {
      at += 300;
      log(
        called(pick(offset), {
          ...{ round: first + 1, callId: `c${turn}-${first}-${offset}`, resultBytes: 6200, ms: 300 },
          ...{ args: '{"project": "web/app", "id": "4127", "page": 2}', summary: '14 issues, 6.2 kB' },
          outcome: offset === 1 && turn % 10 === 0 ? 'failed' : 'ok',
        }),
      );
    }
  }
  round(2 * searches + 1);
  log({ type: 'turnEnded', status: 'answered', ms: at - (START + turn * 60_000) });
}
