import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call, makeWorld, playTurn, scriptsIn, TestModel, TestRunner, text } from '../../../core/turn/world';
import { useSandbox } from '../../../sandbox/builtSandbox';
import { TestWorld } from '../world';

const ERA_SERVER = path.resolve(import.meta.dirname, '../../../../fixtures/eraServer.mjs');

const made = useSandbox();
let servers: TestWorld;
beforeEach(() => {
  servers = new TestWorld();
});
afterEach(() => servers.source.dispose());

/** Runs scripts in a turn over the real servers. Returns each script's result for the model, and the turn's ledger. */
async function runScripts(...scripts: readonly string[]) {
  servers.source.follow();
  await servers.ready();
  const runner = new TestRunner((tool, input, signal) =>
    servers.source.run(tool, input, { signal, onProgress: () => {} }),
  );
  const model = new TestModel([...scripts.map((code) => [call('run_code', { code })]), [text('Told.')]]);
  const world = makeWorld(servers.source.catalog);
  const outcome = await playTurn(world, model, { runner, settings: { mode: 'on' }, code: scriptsIn(made.sandbox) });
  expect(outcome).toMatchObject({ status: 'answered', answer: 'Told.' });
  const results = outcome.items.flatMap((item) => (item.kind === 'results' ? item.results : []));
  const texts = results.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
  return { texts, world };
}

it('a declined question of a server in a script isn’t repeated', async () => {
  servers.definitions = [servers.server('era', { command: process.execPath, args: [ERA_SERVER, 'modern'] })];
  let asked = 0;
  servers.ask = async () => {
    asked++;
    return { action: 'decline' };
  };
  const { texts } = await runScripts('return tools.era_elicit.text({})');
  expect(texts[0]).toMatch(/era_elicit/);
  expect(asked).toBeLessThan(20);
});

it('a script whose server dies fails with words; nothing runs twice', async () => {
  servers.definitions = [servers.faulty('bad', undefined, ['--tell']), servers.faulty('good', undefined, ['--tell'])];
  const { texts, world } = await runScripts(
    'await tools.bad_add({ a: 1, b: 2 });\nawait tools.good_write_note({ text: "kept" });\nawait tools.bad_die();\nreturn "never";',
    'return tools.bad_add.text({ a: 2, b: 2 })',
  );
  expect(texts[0]).toMatch(/^line 3, column \d+: bad_die was cut off: its server stopped before it answered/);
  expect(texts[0]).toMatch(/These calls ran, .*: good_write_note\.$/);
  expect(texts[1]).toBe('bad: 2 + 2 = 4');
  const calls = servers.log
    .filter((line) => /: \w+ is asked for tools\/call$/.test(line) && !line.includes('ended'))
    .map((line) => line.slice(0, line.indexOf(':')));
  expect(calls.sort()).toEqual(['bad', 'bad', 'bad', 'good']);
  const called = world.ledger.events.flatMap((event) =>
    event.type === 'called' ? [`${event.tool} ${event.outcome}`] : [],
  );
  expect(called).toEqual(['bad/add ok', 'good/write_note ok', 'bad/die failed', 'bad/add ok']);
});
