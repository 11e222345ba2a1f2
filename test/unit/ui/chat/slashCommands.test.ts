import { beforeEach, describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { describeNow } from '../../../../src/core/planning/overview';
import type { Settings } from '../../../../src/core/settings/settings';
import { runSlashCommand, type SlashDeps } from '../../../../src/ui/chat/slashCommands';
import { said, searchOf } from '../../../data/items';
import {
  call,
  filler,
  makeCatalog,
  makeTool,
  makeWorld,
  ok,
  planInputs,
  playTurn,
  ScriptedModel,
  SETTINGS,
  searchOver,
  TestRunner,
  TestSource,
  text,
} from '../../core/turn/world';
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

async function run(command: string, argument = ''): Promise<string> {
  const stream = new TestStream();
  await runSlashCommand(world, { command, argument }, stream.asVscode, new AbortController().signal);
  return stream.parts.join('\n');
}

describe('/find', () => {
  it('names what it found with its loading, and among how many', async () => {
    const said = await run('find', 'take a screenshot');
    expect(said).toMatch(/1\. `browser\/take_screenshot` _deferred_ Takes a screenshot/);
    expect(said).toMatch(/\d of 4 tools match \(bm25/);
  });

  it('says how many of the matches it lists', async () => {
    const many = filler('many', 12);
    const source = new TestSource(makeCatalog(many));
    const now = { ...planInputs(many), settings, model: undefined };
    world = { ...world, source, search: searchOver(source), overview: () => describeNow(now) };
    const said = await run('find', 'filler number');
    expect(said.match(/\d+\. `many/g)).toHaveLength(10);
    expect(said).toMatch(/12 of 12 tools match .* These are the best 10\./);
  });

  it('says that nothing matches, and what is near', async () => {
    expect(await run('find', 'zzxqv')).toMatch(/None of 4 tools matches “zzxqv”/);
    expect(await run('find')).toMatch(/Type what to find/);
  });

  it('says which server isn’t searched and which rule hides a tool', async () => {
    settings = { ...settings, hiddenTools: { browser: ['take_*'] } };
    const said = await run('find', 'screenshot');
    expect(said).toMatch(/None of 3 tools matches “screenshot”/);
    expect(said).toMatch(/they don’t run: `memory` \(failed\)\./);
    expect(said).toMatch(/`browser\/take_screenshot` fits, but no model gets it: .*hiddenTools/);
    expect(said).toMatch(/button: toolsearch\.openInspector$/);
  });

  it('keeps to servers by @server and to readers by is:readonly', async () => {
    expect(await run('find', 'graph @mem')).toMatch(/1 of 2 tools match/);
    expect(await run('find', '@browser')).toBe(
      'markdown: - `browser/read_graph` _deferred_ Reads a chart\\.\n- `browser/take_screenshot` _deferred_ Takes a screenshot\\.',
    );
    settings = { ...settings, mcpHost: 'extension' };
    expect(await run('find', 'graph is:readonly')).toBe('markdown: No tool matches `is:readonly`.');
  });

  it('says why VS Code’s own host has no readers', async () => {
    for (const command of ['find', 'tools'])
      expect(await run(command, 'is:readonly')).toMatch(/VS Code doesn’t report which tools only read\./);
  });

  it.each([
    [{}, /There are no tools to search\. `\/tools` shows/],
    [{ setNote: 'The set is gone' }, /^markdown: The set is gone$/],
  ])('says why there are no tools: %j', async (note, words) => {
    const { overview } = world;
    world = {
      ...world,
      source: new TestSource(createCatalog(1, [], [])),
      overview: () => ({ ...overview(), loading: new Map(), ...note }),
    };
    expect(await run('find', 'graph')).toMatch(words);
  });

  it('says what is wrong with a pattern', async () => {
    settings = { ...settings, strategy: 'regex' };
    expect(await run('find', 'get-.*(sum')).toMatch(/not a valid regular expression/);
  });
});

describe('/tools', () => {
  it('lists the servers with their tools and states, as text', async () => {
    expect(await run('tools')).toBe(
      'markdown: - `browser` running: 2 deferred\n- `memory` failed: 1 discovered, 1 deferred — It \\*ended\\*\\.',
    );
  });

  it('lists the tools of one server, or those of a name', async () => {
    const said = await run('tools', 'Memory');
    expect(said).toMatch(/`memory\/read_graph` _discovered_ Reads the \\\*whole\\\* graph\\\.$/m);
    expect(said).not.toContain('browser');
    expect(await run('tools', 'screenshot')).toMatch(/`browser\/take_screenshot`/);
    expect(await run('tools', 'read @browser')).not.toContain('memory');
    expect(await run('tools', 'g')).not.toContain('screenshot');
    expect(await run('tools', 'nothing')).toMatch(/No server or tool is named “nothing”/);
  });
});

describe('/pin and /unpin', () => {
  it('decide for a tool by any name, and for a server', async () => {
    await run('pin', 'browser/take_screenshot');
    await run('pin', 'create_entities deferred');
    await run('pin', 'Memory eager');
    await run('unpin', 'memory');
    expect(await run('pin', 'memory off')).toMatch(/`memory` is hidden: .* `\/unpin memory` undoes this/);
    await run('pin', 'vscode off');
    expect(done).toEqual([
      [{ kind: 'tool', id: 'browser/take_screenshot' }, 'eager'],
      [{ kind: 'tool', id: 'memory/create_entities' }, 'deferred'],
      [{ kind: 'server', id: 'memory' }, 'eager'],
      [{ kind: 'server', id: 'memory' }, 'auto'],
      [{ kind: 'server', id: 'memory' }, 'off'],
      [{ kind: 'server', id: 'vscode' }, 'off'],
    ]);
  });

  it('say what is unknown, or of several', async () => {
    expect(await run('pin', 'no_such_tool')).toMatch(/No tool or server is named `no_such_tool`/);
    expect(await run('pin', 'read_graph')).toMatch(
      /is the name of several tools: `browser\/read_graph`, `memory\/read_graph`/,
    );
    expect(await run('pin')).toMatch(/Type the name of a tool or server/);
    expect(await run('pin', 'memory forever')).toMatch(
      /`memory` can’t be pinned `forever`\. Possible are `eager`, `deferred` and `off`/,
    );
    expect(done).toEqual([]);
  });
});

describe('/stats', () => {
  it('says that nothing was asked', async () => {
    expect(await run('stats')).toMatch(/Tools: 0 eager, 1 discovered, 3 deferred\. This session has no questions yet/);
  });

  it('sums up what was sent and saved: the figures add up', async () => {
    const turns = makeWorld(TOOLS);
    const model = new ScriptedModel([[call('search_tools', { queries: ['screenshot'] })], [text('done')]]);
    await playTurn(turns, model, { settings: { mode: 'on' }, runner: new TestRunner(() => ok('')) });
    world = { ...world, ledger: turns.ledger };
    const said = await run('stats');
    const figure = (label: string) =>
      Number(said.match(new RegExp(`${label} \\| ≈ (-?[\\d,]+)`))?.[1]?.replaceAll(',', ''));
    const net = said.includes('Net saved') ? figure('Net saved') : -figure('Cost more than it saved');
    expect(figure('With every definition') - figure('Sent')).toBe(net);
    expect(said).toMatch(/1 turns?, 2 model calls \| Tokens \(estimated\)/);
  });
});

it('a command that there is not is said to be none', async () => {
  expect(await run('dance')).toMatch(/There is no command \/dance/);
});
