import { expect, it } from 'vitest';
import { readTranscript, type Transcript } from '../../../src/core/conversation/transcript';
import { NO_PINS, withPin } from '../../../src/core/settings/pins';
import { Capabilities } from '../../../src/providers/capabilities';
import { filler, makeCatalog, makeTool, makeWorld, playTurn, schema, TestRunner } from '../core/turn/world';
import { share } from '../property';
import { inProcess } from './inProcess';
import { portOf } from './ports';

const WINDOW = 8_000;
const text = { inputSchema: schema({ x: { type: 'string' } }, ['x']) };
const MATH = ['echo', 'shout', 'draw'].map((name) => makeTool('math', name, `Does ${name}`, text));
const LATE = makeTool('late', 'whisper', 'Does whisper', text);
const MANY = filler('many', 40);
const PICTURE = { type: 'image' as const, mimeType: 'image/png', bytes: 4, data: 'AAAA' };

/** The prompt of a turn: a long text, or a call of a tool, a request for a picture, or code. */
const promptOf = (turn: number): string => {
  const words = `day ${turn} `.repeat(40);
  if (turn % 10 === 3) return `draw x=${turn}`;
  if (turn % 10 === 5) return `code: echo x=${turn}; shout x=${turn}`;
  if (turn % 10 === 7) return `whisper x=${turn}`;
  return turn % 2 === 0 ? `echo x=${turn}` : words;
};

/** Plays a conversation against the strict stand-ins: with models in turns, a late server, a pin and a reload. */
async function play(models: readonly string[], turns: number) {
  const { fetch, served } = inProcess();
  const ports = models.map((model) => {
    const service = model.startsWith('gpt') ? 'openai' : 'anthropic';
    const capabilities = new Capabilities();
    capabilities.learn(service, model, { maxInputTokens: WINDOW });
    return portOf(model, { capabilities, fetch });
  });
  const world = makeWorld([]);
  const runner = new TestRunner(({ name }) => ({
    outcome: 'ok',
    parts: [{ type: 'text', text: `did ${name}` }, ...(name === 'draw' ? [PICTURE] : [])],
  }));
  let history: Transcript = [];
  let longest = 0;
  let cuts = 0;
  let length = 0;
  for (let turn = 0; turn < turns; turn++) {
    world.source.catalog = makeCatalog([...MATH, ...MANY, ...(turn % 40 > 20 ? [LATE] : [])]);
    if (turn % 50 === 49) history = readTranscript(JSON.parse(JSON.stringify(history))) ?? [];
    const port = ports[Math.floor(turn / 25) % ports.length];
    if (!port) throw new Error('no model');
    const from = served.length;
    const outcome = await playTurn(world, port, {
      prompt: promptOf(turn),
      history,
      runner,
      pins: turn % 60 > 30 ? withPin(NO_PINS, { kind: 'tool', id: 'math/echo' }, 'eager') : NO_PINS,
      settings: { allowedCallers: { 'math/*': 'both' } },
    });
    history = [...history, ...outcome.items];
    expect({ turn, status: outcome.status, refused: served.slice(from).flatMap(({ error }) => error ?? []) }).toEqual({
      turn,
      status: 'answered',
      refused: [],
    });
    const chars = JSON.stringify(served.at(-1)?.body).length;
    if (chars < length * 0.75) cuts++;
    length = chars;
    longest = Math.max(longest, chars);
  }
  return { longest, cuts, dropped: served.reduce((sum, request) => sum + request.dropped, 0) };
}

it.each([
  ['the newest Claude', 500, ['claude-opus-5-5']],
  ['GPT', 500, ['gpt-6-sol']],
  ['models of every kind', 750, ['claude-fable-5-2', 'gpt-5.4', 'claude-haiku-5-5', 'gpt-4.1', 'claude-sonnet-4-5']],
])(
  'a small window with %s takes %i turns and keeps its thinking',
  async (_, turns, models) => {
    const { longest, cuts, dropped } = await play(models, share(turns));
    expect(dropped).toBe(0);
    expect(cuts).toBeGreaterThan(2);
    expect(cuts).toBeLessThan(share(turns) / 5);
    // The window doesn't include deferred definitions.
    expect(longest).toBeLessThan(WINDOW * 8);
  },
  300_000,
);
