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
type Asked = Parameters<ReturnType<typeof conversation>>;
/** A question with the changes of tools in its request, and the number of calls that run. */
type Step = readonly [asked: Asked, changes: readonly string[], called: number];

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

const GONE = ['-math_echo'];
const BACK = ['-math_echo', '+math_echo'];
const OTHER = makeTool('math', 'other', 'Does nothing', text);
const OFF = { mode: 'off' } as const;
const LOCAL = { mode: 'off', delivery: 'local' } as const;

describe.each(['claude-opus-5-5', 'claude-opus-5'])('A tool that %s has', (model) => {
  it.each<[string, readonly Step[]]>([
    [
      'leaves when it is gone, and comes back',
      [
        [['echo x=a', [ECHO, ...MANY]], [], 1],
        [['echo x=b', MANY], GONE, 0],
        [['echo x=c', [ECHO, ...MANY]], BACK, 1],
      ],
    ],
    [
      'leaves when the user hides it, also if it was eager',
      [
        [['echo x=a', [ECHO], OFF], [], 1],
        [['echo x=b', [ECHO], { ...OFF, hiddenTools: { math: ['echo'] } }], GONE, 0],
        [['echo x=c', [ECHO], OFF], BACK, 1],
      ],
    ],
    [
      'that joined by its definition leaves by its name',
      [
        [['hello', [OTHER], LOCAL], [], 0],
        [['echo x=a', [ECHO], LOCAL], ['+*math_echo', '-math_other'], 1],
        [['echo x=b', [OTHER], LOCAL], ['+*math_echo', '-math_other', '+math_other', '-math_echo'], 0],
      ],
    ],
  ])('%s', async (_, steps) => {
    const ask = conversation(model);
    for (const [asked, changes, called] of steps) expect(await ask(...asked)).toEqual({ changes, called, dropped: 0 });
  });
});

it('a Claude that takes no changes keeps the tool; its call fails', async () => {
  const ask = conversation('claude-haiku-5-5');
  await ask('echo x=a', [ECHO, ...MANY]);
  expect(await ask('echo x=b', MANY)).toMatchObject({ changes: [], called: 0 });
});
