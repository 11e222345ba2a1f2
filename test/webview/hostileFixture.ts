import { createCatalog, type ServerInfo } from '../../src/core/catalog/catalog';
import type { Tool } from '../../src/core/catalog/tool';
import type { ViewState } from '../../src/inspector/protocol/view';
import { fixtureLoading, fixtureState, hit, makeTool, NOW, round, Script } from './fixture';

/**
 * An extreme session: names without a break, markup, text that runs from right to left, all longer and larger than it
 * should be.
 */
const LONG = 'name_of_a_tool_that_somebody_has_generated_from_a_path_of_an_interface_and_never_read_themselves';
const MARKUP = '<img src=x onerror=alert(1)>';
const BACKWARDS = '\u202Eelbisrever\u202Eemos';
const ARABIC = 'أداة_البحث_عن_الملفات';
const PROSE = 'It lists what there is and says at length what it does, when to use it and when not to. ';

function hostileTools(): Tool[] {
  const names = [LONG, MARKUP, BACKWARDS, ARABIC, 'x'];
  const servers = [`server-${LONG}`, MARKUP, ARABIC, ...Array.from({ length: 196 }, (_, index) => `server-${index}`)];
  return servers.flatMap((server) =>
    names.map((name, index): Tool => ({ ...makeTool(server, name), description: index === 4 ? '' : PROSE.repeat(40) })),
  );
}

export function hostileState(): ViewState {
  const tools = hostileTools();
  const servers = [...new Set(tools.map((tool) => tool.server))].map(
    (name): ServerInfo => ({ name, state: 'running', problems: [] }),
  );
  const [first, second] = servers;
  const failed: ServerInfo = {
    name: `failed-${LONG}`,
    state: 'failed',
    detail: `${'E'.repeat(300)}\n${PROSE.repeat(5)}`,
    problems: [PROSE.repeat(3)],
  };
  const loading = new Map(fixtureLoading(tools));
  for (const { id } of tools.slice(0, 2))
    loading.set(id, { loading: 'eager', reason: PROSE, reasonLong: PROSE.repeat(4) });
  return fixtureState({
    catalog: createCatalog(1, tools, [...servers, failed, { name: 'without-tools', state: 'running', problems: [] }]),
    events: [...fortyRounds(first?.name ?? '', second?.name ?? ''), ...loss()],
    loading,
    tokensOf: (tool) => ({ value: tool.name === LONG ? 1_234_567 : 90, certainty: 'estimated' }),
    pins: { tools: { [tools[0]?.id ?? '']: 'eager' }, servers: {} },
    strategy: { name: LONG, why: PROSE },
    delivery: { name: 'local', why: PROSE },
  });
}

function fortyRounds(one: string, two: string) {
  const turn = new Script(1, 1, NOW - 900_000, `${'ك'.repeat(60)} ${MARKUP} ${PROSE.repeat(60)}`, {
    eager: 2,
    discovered: 3,
    deferred: 990,
  });
  for (let number = 1; number <= 40; number++) {
    turn.round(1_900, round(100_000 * number, 40_000, 1_000 * number, 30_000, 20_000 * number, 3_400_000));
    const hits = [hit(`${one}/${LONG}`, 1_234.5, 'name tool'), hit(`${two}/${BACKWARDS}`, 9.1, '')];
    const more = { ms: 0.4, searched: 990, matched: 12, note: PROSE.repeat(3) };
    turn.search(number % 2 ? PROSE.repeat(3) : MARKUP, hits, [hit(`${one}/${ARABIC}`, 8.2, '')], more);
    turn.found(520, `${one}/${LONG}`, `${two}/${BACKWARDS}`);
    const args = JSON.stringify({ text: 'a'.repeat(5_000) });
    turn.call(`${two}/${BACKWARDS}`, args, `${BACKWARDS} ${PROSE}`, 640, { withoutDiscovery: true, retry: 3 });
  }
  turn.end();
  return turn.events;
}

function loss() {
  const turn = new Script(1_000, 2, NOW - 60_000, LONG.repeat(4), { eager: 2, discovered: 3, deferred: 990 });
  turn.round(1_900, round(4_321_000, 40_000, 21_000, 9_876_000, 0, 1_234_567));
  turn.end();
  return turn.events;
}
