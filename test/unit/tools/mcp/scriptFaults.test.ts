import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptResults } from '../../../../src/core/code/keptResults';
import { codeDepsOf } from '../../../../src/core/code/scriptHost';
import { Shapes } from '../../../../src/core/code/shapes';
import type { ToolRunner } from '../../../../src/core/ports';
import { runTurn } from '../../../../src/core/turn/turn';
import { call, makeRequest, makeWorld, ScriptedModel, TestSink, text } from '../../core/turn/world';
import { useSandbox } from '../../sandbox/builtSandbox';
import { TestWorld } from './world';

const made = useSandbox();
let servers: TestWorld;
beforeEach(() => {
  servers = new TestWorld();
});
afterEach(() => servers.source.dispose());

describe('a script whose server dies in a call', () => {
  it('fails with words for the model; nothing runs twice', async () => {
    servers.definitions = [servers.faulty('bad', undefined, ['--tell']), servers.faulty('good', undefined, ['--tell'])];
    servers.source.follow();
    await servers.ready();
    const runner: ToolRunner = {
      run: (tool, input, signal, inOrder = (start) => start()) =>
        inOrder(() => servers.source.run(tool, input, { signal, onProgress: () => {} })),
    };
    const model = new ScriptedModel([
      [
        call('run_code', {
          code: 'await tools.bad_add({ a: 1, b: 2 });\nawait tools.good_write_note({ text: "kept" });\nawait tools.bad_die();\nreturn "never";',
        }),
      ],
      [call('run_code', { code: 'return tools.bad_add.text({ a: 2, b: 2 })' })],
      [text('Told.')],
    ]);
    const host = {
      sandbox: made.sandbox,
      shapes: new Shapes(),
      kept: new KeptResults(),
      redact: (text: string) => text,
    };
    const world = makeWorld(servers.source.catalog);
    const request = makeRequest(model, { runner, settings: { mode: 'on' } });
    const outcome = await runTurn(
      world,
      { ...request, code: codeDepsOf(host, 'chat', () => 'never') },
      new TestSink(),
      new AbortController().signal,
    );
    expect(outcome).toMatchObject({ status: 'answered', answer: 'Told.' });
    const results = outcome.items.flatMap((item) => (item.kind === 'results' ? item.results : []));
    const texts = results.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
    expect(texts[0]).toMatch(/^line 3, column \d+: bad_die was cut off: its server stopped before it answered/);
    expect(texts[0]).toMatch(/Had run before: good_write_note\.$/);
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
});
