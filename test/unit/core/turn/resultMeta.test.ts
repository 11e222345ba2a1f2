import { expect, it } from 'vitest';
import { createAgentTools } from '../../../../src/core/agents/agentTools';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { reportTurn } from '../../../../src/core/ledger/report';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { toRun } from '../../../../src/tools/mcp/connection/result';
import { useSandbox } from '../../sandbox/builtSandbox';
import {
  call,
  filler,
  makeServices,
  makeTool,
  makeWorld,
  playTurn,
  ScriptedModel,
  scriptHost,
  scriptsIn,
  TestRunner,
  text,
} from './world';

const MARK = 'only-for-extensions';
const built = useSandbox();
const secrets = new KnownSecrets().with(['planted-secret-1']);
const CHART = makeTool('charts', 'draw', 'Draws a chart');
const TOOLS = [CHART, ...filler('other', 40)];
const answer = toRun({
  content: [{ type: 'text', text: '{"drawn":true}' }],
  structuredContent: { drawn: true },
  _meta: { 'charts/view': MARK, token: 'planted-secret-1' },
});
const never = new AbortController().signal;
const SCRIPT = `const chart = await tools.charts_draw({});
return [chart, Object.keys(chart), await tools.charts_draw.text({}), await tools.charts_draw.parts({})];`;

it.each([
  ['a call', call('charts_draw', {})],
  ['a call by the bridge', call('call_tool', { name: 'charts_draw', arguments: {} })],
  ['a script', call('run_code', { code: SCRIPT, title: 'Draws' })],
])('a result’s _meta of %s is in the report alone', async (_, made) => {
  const model = new ScriptedModel([[made], [text('done')]]);
  const source = makeWorld(TOOLS).source;
  const world = makeServices(source, { ledger: new Ledger(secrets.redactIn) });
  const outcome = await playTurn(world, model, {
    runner: new TestRunner(() => answer),
    settings: { delivery: 'bridge', codeMode: 'on' },
    code: scriptsIn(built.sandbox, secrets.redact),
  });
  expect(outcome.status).toBe('answered');
  const { ledger } = world;
  expect(ledger.events.filter(({ type }) => type === 'called')[0]).toMatchObject({
    tool: 'charts/draw',
    outcome: 'ok',
  });
  expect(
    JSON.stringify([
      model.requests,
      outcome.items,
      ledger.events,
      ledger.exchanges.of(1, 1),
      ledger.exchanges.of(1, 2),
    ]),
  ).not.toContain(MARK);
  const report = reportTurn(ledger.events, outcome.turn, outcome.answer, ledger.metaOf);
  expect(report?.calls[0]?.meta).toEqual({ 'charts/view': MARK, token: expect.not.stringContaining('planted') });
});

it('a client of the endpoint never gets a result’s _meta', async () => {
  const services = makeWorld(TOOLS);
  const tools = createAgentTools({ services, scripts: scriptHost(built.sandbox, secrets.redact), warn: () => {} });
  const run = await tools.answer(
    { tool: 'call_tool', input: { name: 'charts_draw', arguments: {} }, chat: 'c', by: { client: 'c' } } as never,
    { runner: new TestRunner(() => answer), asking: () => 'never' },
    never,
  );
  tools.dispose();
  expect(run.outcome).toBe('ok');
  expect(JSON.stringify([run, services.ledger.events])).not.toContain(MARK);
});

it('an empty, too deep or too large _meta isn’t kept', () => {
  let deep: object = {};
  for (let i = 0; i < 5_000; i++) deep = { deep };
  for (const _meta of [{}, deep, { big: 'x'.repeat(30_000) }, 'text', null])
    expect(toRun({ content: [], _meta }).meta).toBeUndefined();
});
