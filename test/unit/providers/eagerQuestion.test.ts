import { expect, it } from 'vitest';
import type { Transcript } from '../../../src/core/conversation/transcript';
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings';
import { Session } from '../../../src/core/turn/session';
import { Capabilities } from '../../../src/providers/capabilities';
import { choices, filler, makeServices, makeWorld, TestRunner, TestSink } from '../core/turn/world';
import { chanceOf, type Wire } from './attack/chance';
import { MODELS } from './attack/models';
import { type Bill, Service } from './attack/service';
import { portOf } from './ports';
import { streamed } from './wires';

const TOOLS = filler('main', 40);

/** Asks the questions of one chat, each in a mode or in that of the settings. Returns the requests of each. */
async function chatOf(model: string, delivery: 'auto' | 'client' | 'local', modes: readonly ('off' | undefined)[]) {
  const settings = { ...DEFAULT_SETTINGS, mode: 'on' as const, delivery };
  const session = new Session(makeServices(makeWorld(TOOLS).source, { user: choices(() => settings) }));
  const service = new Service();
  const asked: { readonly tools: number; readonly bill: Bill }[][] = [];
  let chance = chanceOf(5);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (/count_tokens|input_tokens/.test(String(input))) return Response.json({ input_tokens: 100 });
    const body: Wire = JSON.parse(String(init?.body));
    const betas = (new Headers(init?.headers).get('anthropic-beta') ?? '').split(',');
    const got = MODELS[model]?.(chance)(body, betas) ?? { refused: 'no model' };
    if ('refused' in got) throw new Error(got.refused);
    asked.at(-1)?.push({ tools: body.tools.length, bill: service.reads(body, 0) });
    return streamed(got.events as never);
  };
  const port = portOf(model, { capabilities: new Capabilities(), fetch });
  let history: Transcript = [];
  for (const mode of modes) {
    // The model answers each question in the same way.
    chance = chanceOf(5);
    asked.push([]);
    const { items } = await session.ask(
      {
        prompt: `Question ${asked.length} ${'word '.repeat(1_500)}`,
        history,
        references: new Set(),
        port,
        runner: new TestRunner(),
        mode,
      },
      new TestSink(),
      new AbortController().signal,
    );
    history = [...history, ...items];
  }
  return asked;
}

it.each(
  ['claude-opus-5-5', 'claude-opus-5', 'claude-sonnet-4-6', 'gpt-6-sol', 'gpt-5.4'].flatMap((model) =>
    (['auto', 'client', 'local'] as const).map((delivery) => [model, delivery] as const),
  ),
)('after /eager a chat reads the same from its cache (%s, %s)', async (model, delivery) => {
  const without = await chatOf(model, delivery, [undefined, undefined, undefined]);
  const [first, , eager, next] = await chatOf(model, delivery, [undefined, undefined, 'off', undefined]);
  expect(eager?.[0]?.tools).toBeGreaterThanOrEqual(TOOLS.length);
  expect(next?.[0]?.tools).toBe(first?.[0]?.tools);
  expect(next?.[0]?.bill.read).toBe(without[2]?.[0]?.bill.read);
});
