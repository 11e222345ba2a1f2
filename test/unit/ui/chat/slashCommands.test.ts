import { beforeEach, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { describeNow } from '../../../../src/core/planning/loadingOverview';
import type { Settings } from '../../../../src/core/settings/settings';
import { runSlashCommand, type SlashDeps } from '../../../../src/ui/chat/slashCommands';
import { estimated, measured, sentTokens, started } from '../../../data/entries';
import { said, searchOf } from '../../../data/items';
import { filler, makeCatalog, makeTool, planInputs, SETTINGS, searchOver, TestSource } from '../../core/turn/world';
import { TestStream } from './stream';

const TOOLS = [
  makeTool('memory', 'read_graph', 'Reads the *whole* graph. And more.'),
  makeTool('memory', 'create_entities', 'Creates entities.'),
  makeTool('browser', 'take_screenshot', 'Takes a screenshot.'),
  makeTool('browser', 'read_graph', 'Reads a chart.'),
];
const catalog = createCatalog(1, TOOLS, [
  { name: 'browser', state: 'running', problems: [] },
  { name: 'memory', state: 'failed', detail: 'It *ended*.', problems: [] },
]);

let settings: Settings;
let done: unknown[];
let world: SlashDeps;
beforeEach(() => {
  settings = { ...SETTINGS, mode: 'on' };
  done = [];
  const source = new TestSource(catalog);
  world = {
    source,
    search: searchOver(source),
    ledger: new Ledger(),
    settings: () => settings,
    overview: () => {
      const transcript = [said('', [], { searches: [searchOf('memory/read_graph')] })];
      return describeNow({ ...planInputs(TOOLS), catalog, settings, model: undefined, transcript });
    },
    pin: async (target, pin) => void done.push([target, pin]),
  };
});

/** Runs commands and returns what each says and does. */
async function answersTo(...asked: readonly string[]): Promise<string[]> {
  const told: string[] = [];
  for (const each of asked) {
    const [command = '', ...argument] = each.split(' ');
    const stream = new TestStream();
    const typed = { command, argument: argument.join(' ') };
    await runSlashCommand(world, typed, stream.asVscode, new AbortController().signal);
    const said = stream.parts.join('\n').replace(/[\d.]+ ms/, 'n ms');
    told.push(`/${each}`, said, ...done.splice(0).map((pin) => `pins ${JSON.stringify(pin)}`), '');
  }
  return told;
}
const matchesFile = (told: readonly string[], name: string) =>
  expect(told.join('\n')).toMatchFileSnapshot(`slash-${name}.txt`);

/** Another session, with a server of 103 tools, and one that is withheld. */
function crowded(): void {
  const long = { ...makeTool('a', 'long_vscode', `${'x'.repeat(200)} A? B.`), annotations: { readOnlyHint: true } };
  const tools = [...filler('many', 101), makeTool('many', 'silent', '', { title: 'Only a title! More.' }), long];
  const withheld = new Map([['w', makeTool('vscode', 'waits', 'One.Two')]]);
  const servers = (['vscode', 'many'] as const).map((name) => {
    const state = name === 'many' ? ('starting' as const) : ('running' as const);
    return { name, state, problems: [] };
  });
  const source = new TestSource({ ...makeCatalog(tools, servers), withheld });
  const now = { ...planInputs(tools), settings: { ...settings, mode: 'off' as const }, model: undefined };
  world = { ...world, source, search: searchOver(source), overview: () => describeNow(now) };
}

it('/find names what fits with its loading, or says why nothing does', async () => {
  const told = await answersTo(
    ...['find take a screenshot', 'find graph', 'find zzxqv', 'find entties', 'find', 'find @memory', 'find @gone'],
    ...['find x @gone', 'find graph @mem', 'find  graph is:readonly'],
  );
  settings = { ...settings, hiddenTools: { browser: ['take_*'] }, strategy: 'regex', mcpHost: 'extension' };
  told.push(...(await answersTo('find screenshot', 'find read_.*', 'find get-.*(sum', 'find a is:readonly')));
  crowded();
  told.push(...(await answersTo('find filler number', 'find @many', 'find is:readonly')));
  const { overview } = world;
  for (const note of [{}, { setNote: 'The *set* is gone' }]) {
    world = { ...world, overview: () => ({ ...overview(), loading: new Map(), ...note }) };
    told.push(...(await answersTo('find graph')));
  }
  await matchesFile(told, 'find');
});

it('/tools lists servers with their states, or the tools of a name', async () => {
  const told = await answersTo(
    'tools',
    'tools Memory',
    'tools read',
    'tools @browser g',
    'tools g',
    'tools nothing',
    'tools is:readonly',
    'dance',
  );
  crowded();
  told.push(...(await answersTo('tools', 'tools VSCode', 'tools wai', 'tools many', 'tools long', 'tools silent')));
  settings = { ...settings, mcpHost: 'extension' };
  const { withheld } = world.source.catalog;
  world = { ...world, source: new TestSource({ ...createCatalog(2, [], []), ...(withheld ? { withheld } : {}) }) };
  told.push(...(await answersTo('tools', 'tools is:readonly')));
  const running = { state: 'running' as const, problems: [] };
  const servers = ['vscode', 'empty'].map((name) => ({ ...running, name }));
  world = { ...world, source: new TestSource(makeCatalog([], servers)) };
  told.push(...(await answersTo('tools')));
  await matchesFile(told, 'tools');
});

it('/pin and /unpin take any name of a tool, and a server’s', async () => {
  const told = await answersTo(
    ...['pin', 'pin browser/take_screenshot', 'pin create_entities deferred', 'pin Memory eager', 'pin memory off'],
    ...['pin memory forever', 'pin read_graph', 'pin browser read_graph', 'pin no_such_tool', 'pin vscode off'],
    ...['pin memory_create_entities', 'unpin', 'unpin memory', 'unpin `memory`'],
  );
  await matchesFile(told, 'pin');
});

it('/stats sums up what was sent and saved', async () => {
  const told = await answersTo('stats');
  const cost = (usd?: { readonly sent: number; readonly baseline: number }) => ({
    ...{ sent: 10, baseline: 25 },
    ...(usd ? { usd } : {}),
  });
  const tokens = { ...sentTokens({ promptAndHistory: 1_200, searchOverhead: 34 }, 500), baseline: measured(2_000) };
  for (const [model, more] of [
    [{}, {}],
    [{}, { cost: cost() }],
    [{}, { cost: cost({ sent: 0.0123, baseline: 0.01 }) }],
    [{}, { baseline: estimated(1_000) }],
    [{ model: { vendor: 'toolsearch', id: 'search-only', name: 'Search only' } }, {}],
  ] as const) {
    const ledger = new Ledger();
    for (const turn of [1, 2].slice(0, told.length > 4 ? 2 : 1)) {
      const { record } = ledger.startTurn(() => turn);
      record(started(model));
      record({ type: 'roundEnded', round: 1, ms: 1, tokens: { ...tokens, ...more } });
    }
    world = { ...world, ledger };
    told.push(...(await answersTo('stats')));
  }
  await matchesFile(told, 'stats');
});
