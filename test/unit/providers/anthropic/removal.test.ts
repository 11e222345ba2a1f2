import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import type { Settings } from '../../../../src/core/settings/settings';
import { filler, makeCatalog, makeTool, makeWorld, playTurn, schema, TestRunner } from '../../core/turn/world';
import { inProcess, type Served } from '../inProcess';
import { portOf } from '../ports';

const text = { inputSchema: schema({ x: { type: 'string' } }, ['x']) };
const ECHO = makeTool('math', 'echo', 'Does echo', text);
const MANY = filler('many', 40);

/** A conversation with one Claude whose tools and settings change between the questions. */
function conversation(model: string) {
  const { fetch, served } = inProcess();
  const port = portOf(model, { fetch });
  const world = makeWorld([]);
  const runner = new TestRunner(() => ({ outcome: 'ok', parts: [{ type: 'text', text: 'echoed' }] }));
  let history: Transcript = [];
  return async (prompt: string, tools: readonly Tool[], settings: Partial<Settings> = {}) => {
    world.source.catalog = makeCatalog([...tools]);
    const from = served.length;
    const ran = runner.ran.length;
    const question = { prompt, history, runner, settings: { delivery: 'server' as const, ...settings } };
    const outcome = await playTurn(world, port, question);
    history = [...history, ...outcome.items];
    const requests = served.slice(from);
    expect(requests.flatMap(({ error }) => error ?? [])).toEqual([]);
    return { changes: changesIn(requests.at(-1)), called: runner.ran.length - ran, dropped: served.at(-1)?.dropped };
  };
}

/** The changes of tools that a request contains, as `+name` and `-name`, with `*` for a whole definition. */
function changesIn(request: Served | undefined): readonly string[] {
  return (request?.body.messages ?? []).flatMap(({ content }: { content: readonly { type: string; tool: Change }[] }) =>
    content.flatMap(({ type, tool }) => {
      if (type !== 'tool_addition' && type !== 'tool_removal') return [];
      return `${type === 'tool_addition' ? '+' : '-'}${tool.definition ? `*${tool.definition.name}` : tool.name}`;
    }),
  );
}
interface Change {
  readonly name?: string;
  readonly definition?: { readonly name: string };
}

describe.each(['claude-opus-5-5', 'claude-opus-5'])('A tool that %s has', (model) => {
  it('leaves when it is gone, and comes back', async () => {
    const ask = conversation(model);
    expect(await ask('echo x=a', [ECHO, ...MANY])).toMatchObject({ changes: [], called: 1 });
    expect(await ask('echo x=b', MANY)).toMatchObject({ changes: ['-math_echo'], called: 0, dropped: 0 });
    expect(await ask('echo x=c', [ECHO, ...MANY])).toMatchObject({
      changes: ['-math_echo', '+math_echo'],
      called: 1,
      dropped: 0,
    });
  });

  it('leaves when the user hides it, also if it was eager', async () => {
    const ask = conversation(model);
    const hidden = { hiddenTools: { math: ['echo'] } };
    expect(await ask('echo x=a', [ECHO], { mode: 'off' })).toMatchObject({ changes: [], called: 1 });
    expect(await ask('echo x=b', [ECHO], { mode: 'off', ...hidden })).toMatchObject({
      changes: ['-math_echo'],
      called: 0,
    });
    expect(await ask('echo x=c', [ECHO], { mode: 'off' })).toMatchObject({
      changes: ['-math_echo', '+math_echo'],
      called: 1,
    });
  });

  it('that joined by its definition leaves by its name', async () => {
    const ask = conversation(model);
    const off = { mode: 'off', delivery: 'local' } as const;
    await ask('hello', [makeTool('math', 'other', 'Does nothing', text)], off);
    expect(await ask('echo x=a', [ECHO], off)).toMatchObject({ called: 1 });
    expect(await ask('echo x=b', [makeTool('math', 'other', 'Does nothing', text)], off)).toMatchObject({
      changes: ['+*math_echo', '-math_other', '+math_other', '-math_echo'],
      called: 0,
      dropped: 0,
    });
  });
});

it('a Claude that takes no changes keeps the tool; its call fails', async () => {
  const ask = conversation('claude-haiku-5-5');
  await ask('echo x=a', [ECHO, ...MANY]);
  expect(await ask('echo x=b', MANY)).toMatchObject({ changes: [], called: 0 });
});
