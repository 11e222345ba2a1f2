import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { ModelInfo } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import type { TurnOutcome } from '../../../../src/core/turn/turn';
import { useSandbox } from '../../sandbox/builtSandbox';
import {
  call,
  filler,
  makeCatalog,
  makeTool,
  makeWorld,
  ok,
  playTurn,
  scriptsIn,
  TestModel,
  TestRunner,
  text,
} from './world';

const REPORT = makeTool('docs', 'report', 'Makes a report');
const READER = makeTool('docs', 'read_linked_resource', 'Reads what a result linked to', {
  item: { kind: 'linked', address: '' },
});
const made = useSandbox();

/** A world in which the report's result adds the tool that reads its links. */
function linking(tools: readonly Tool[]) {
  const world = makeWorld(tools);
  const runner = new TestRunner((tool) => {
    if (tool.id === REPORT.id) world.source.catalog = makeCatalog([...tools, READER], undefined, 2);
    return ok(tool.id === READER.id ? 'The contents.' : 'A link.');
  });
  return { world, runner };
}

/** The texts of a turn's results. */
const textsOf = ({ items }: TurnOutcome) =>
  items.flatMap((item) => (item.kind === 'results' ? item.results.map(resultText) : []));

/** A turn in which a result adds the tool that reads its links, after which the model calls this tool. */
async function turnWithLink(settings: Partial<Settings>, last: ReturnType<typeof call>, info: Partial<ModelInfo> = {}) {
  const others = settings.mode === 'on' ? filler('x', 40) : [];
  const { world, runner } = linking([REPORT, makeTool('a', 'first'), makeTool('z', 'last'), ...others]);
  const first =
    settings.mode === 'on' ? call('call_tool', { name: 'docs_report', arguments: {} }) : call('docs_report', {});
  const model = new TestModel([[first], [last], [text('done')]], { info });
  const outcome = await playTurn(world, model, { runner, settings });
  return { model, texts: textsOf(outcome) };
}

describe('what a result links to', () => {
  it('can be read in the same turn if no tool is deferred', async () => {
    const { model, texts } = await turnWithLink({}, call('docs_read_linked_resource', { uri: 'a:b' }));
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['a_first', 'docs_report', 'z_last']);
    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual([
      'a_first',
      'docs_read_linked_resource',
      'docs_report',
      'z_last',
    ]);
    expect(texts.at(-1)).toBe('The contents.');
  });

  it('joins the conversation at its end if the model takes tools there', async () => {
    const read = call('docs_read_linked_resource', { uri: 'a:b' });
    const { model, texts } = await turnWithLink({}, read, { addsTools: true });
    expect(model.requests[1]?.tools).toEqual(model.requests[0]?.tools);
    const joined = model.requests[1]?.transcript.flatMap((item) => (item.kind === 'user' ? (item.joined ?? []) : []));
    expect(joined?.map(({ name }) => name)).toEqual(['docs_read_linked_resource']);
    expect(texts.at(-1)).toBe('The contents.');
  });

  it('can be read over a bridge, whose request stays as it was', async () => {
    const read = call('call_tool', { name: 'docs_read_linked_resource', arguments: { uri: 'a:b' } }, 'c2');
    const { model, texts } = await turnWithLink({ mode: 'on', delivery: 'bridge' }, read);
    expect(model.requests[1]?.tools).toEqual(model.requests[0]?.tools);
    expect(texts.at(-1)).toBe('The contents.');
  });

  it.each([
    [{}, 'The contents.'],
    [{ hiddenTools: { docs: ['read_*'] } }, 'There is no tool named'],
  ])('can be read by a script that got it, unless hidden', async (hiding, expected) => {
    const { world, runner } = linking([REPORT, ...filler('x', 40)]);
    const code = 'await tools.docs_report.text({}); return tools.docs_read_linked_resource.text({ uri: "a:b" });';
    const model = new TestModel([[call('run_code', { code })], [text('done')]]);
    const settings = { mode: 'on', codeMode: 'on', ...hiding } as const;
    const outcome = await playTurn(world, model, { runner, settings, code: scriptsIn(made.sandbox) });
    expect(textsOf(outcome)[0]).toContain(expected);
  });
});
