import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../src/core/catalog/tool';
import { readTranscript, type Transcript } from '../../../src/core/conversation/transcript';
import type { ModelPort } from '../../../src/core/ports';
import { NO_PINS, type Pins, withPin } from '../../../src/core/settings/pins';
import type { Settings } from '../../../src/core/settings/settings';
import { filler, makeCatalog, makeTool, makeWorld, playTurn, schema, TestRunner } from '../core/turn/world';
import { holds } from '../property';
import { inProcess, type Served } from './inProcess';
import { portOf } from './ports';

/** The only reasons for which a request's beginning may differ from the request before. */
const CAUSES = {
  model: 'another model answers',
  delivery: 'the user chose another delivery',
  cut: 'the history was cut to the window',
  hidden: 'GPT takes no tool away, so a hidden one leaves what the conversation began with',
} as const;
type Cause = keyof typeof CAUSES;

/** A step of a conversation. */
type Step =
  | { readonly do: 'ask'; readonly prompt: string; readonly reference?: number }
  | { readonly do: 'start' | 'stop'; readonly server: 'late' | 'math' }
  | { readonly do: 'pin'; readonly tool: number; readonly to: 'eager' | 'deferred' }
  | { readonly do: 'set'; readonly settings: Partial<Settings> }
  | { readonly do: 'model'; readonly model: number }
  | { readonly do: 'redefine'; readonly tool: number }
  | { readonly do: 'reload' };

const text = { inputSchema: schema({ x: { type: 'string' } }, ['x']) };
const MATH = ['echo', 'shout', 'draw'].map((name) => makeTool('math', name, `Does ${name}`, text));
const LATE = [makeTool('late', 'whisper', 'Does whisper', text), ...filler('late', 12)];
const MANY = filler('many', 40);
const ALL = [...MATH, ...LATE];

const PROMPTS = [
  'echo x=a',
  'shout x=b',
  'draw x=c',
  'whisper x=d',
  'nothing of this kind',
  'code: echo x=e; shout x=f',
];
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      { do: fc.constant('ask' as const), prompt: fc.constantFrom(...PROMPTS), reference: fc.nat(ALL.length - 1) },
      { requiredKeys: ['do', 'prompt'] },
    ),
  },
  fc.record({ do: fc.constantFrom('start' as const, 'stop' as const), server: fc.constantFrom('late', 'math') }),
  fc.record({
    do: fc.constant('pin' as const),
    tool: fc.nat(ALL.length - 1),
    to: fc.constantFrom('eager' as const, 'deferred' as const),
  }),
  fc.record({
    do: fc.constant('set' as const),
    settings: fc.constantFrom<Partial<Settings>>(
      { mode: 'on' },
      { mode: 'off' },
      { mode: 'auto' },
      { guidance: 'off' },
      { hiddenTools: { math: ['echo'] } },
      { hiddenTools: {} },
    ),
  }),
  { weight: 1, arbitrary: fc.constant({ do: 'set' as const, settings: { delivery: 'local' as const } }) },
  fc.record({ do: fc.constant('model' as const), model: fc.nat(1) }),
  fc.record({ do: fc.constant('redefine' as const), tool: fc.nat(ALL.length - 1) }),
  fc.constant({ do: 'reload' as const }),
);

const PICTURE = { type: 'image' as const, mimeType: 'image/png', bytes: 4, data: 'AAAA' };
const MODELS = {
  Claude: ['claude-opus-5-5', 'claude-fable-5-2'],
  'an older Claude': ['claude-opus-5', 'claude-sonnet-5-5'],
  GPT: ['gpt-5.6-sol', 'gpt-6-sol'],
} as const;

interface Played {
  readonly requests: readonly (Served & { readonly causes: ReadonlySet<Cause> })[];
  readonly failures: readonly string[];
}

/** Plays a conversation against the strict stand-ins. */
async function play(family: keyof typeof MODELS, steps: readonly Step[]): Promise<Played> {
  const { fetch, served } = inProcess();
  const ports = MODELS[family].map((model) => portOf(model, { fetch }));
  const servers = new Set(['math', 'many']);
  const world = makeWorld([]);
  const redefined = new Map<string, Tool>();
  const tools = (): readonly Tool[] =>
    [...ALL, ...MANY].filter(({ server }) => servers.has(server)).map((tool) => redefined.get(tool.id) ?? tool);
  const runner = new TestRunner(({ name }) => ({
    outcome: 'ok',
    parts: [{ type: 'text', text: `did ${name}` }, ...(name === 'draw' ? [PICTURE] : [])],
  }));
  let settings: Partial<Settings> = { allowedCallers: { 'math/*': 'both' } };
  let pins: Pins = NO_PINS;
  let history: Transcript = [];
  let port = ports[0] as ModelPort;
  let causes = new Set<Cause>();
  const requests: Played['requests'][number][] = [];
  const failures: string[] = [];
  for (const now of steps) {
    switch (now.do) {
      case 'start':
        servers.add(now.server);
        break;
      case 'stop':
        servers.delete(now.server);
        break;
      case 'pin':
        pins = withPin(pins, { kind: 'tool', id: ALL[now.tool]?.id ?? '' }, now.to);
        break;
      case 'set':
        if (now.settings.delivery && settings.delivery !== now.settings.delivery) causes.add('delivery');
        if (now.settings.hiddenTools && family === 'GPT') causes.add('hidden');
        settings = { ...settings, ...now.settings };
        break;
      case 'model':
        if (port !== ports[now.model]) causes.add('model');
        port = ports[now.model] ?? port;
        break;
      case 'redefine': {
        const tool = tools().find(({ id }) => id === ALL[now.tool]?.id);
        if (tool) redefined.set(tool.id, { ...tool, description: `${tool.description} again` });
        break;
      }
      case 'reload':
        history = readTranscript(JSON.parse(JSON.stringify(history))) ?? [];
        break;
      case 'ask': {
        world.source.catalog = makeCatalog(tools());
        const reference = now.reference === undefined ? undefined : ALL[now.reference]?.id;
        const from = served.length;
        const outcome = await playTurn(world, port, {
          prompt: now.prompt,
          history,
          pins,
          runner,
          settings,
          references: new Set(reference && world.source.catalog.byId.has(reference) ? [reference] : []),
        });
        history = [...history, ...outcome.items];
        if (outcome.status !== 'answered') failures.push(`${now.prompt}: ${outcome.message}`);
        for (const request of served.slice(from)) {
          requests.push({ ...request, causes });
          causes = new Set();
        }
      }
    }
  }
  return { requests, failures };
}

/** The parts of a request that the model sees, in its reading order. Caches and bound thinking depend on this order. */
function partsOf({ body }: Served): readonly string[] {
  const plain = (value: unknown) => JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part));
  if (body.input)
    return [
      ...(body.tools ?? []).map(
        ({ tools, ...tool }: { readonly tools?: readonly { readonly defer_loading?: boolean }[] }) =>
          plain([tool, tools?.filter((inner) => !inner.defer_loading)]),
      ),
      plain(body.instructions),
      ...body.input.map(plain),
    ];
  return [
    ...(body.tools ?? []).filter((tool: { readonly defer_loading?: boolean }) => !tool.defer_loading).map(plain),
    plain(body.system),
    ...body.messages.flatMap(({ role, content }: { readonly role: string; readonly content: readonly unknown[] }) => [
      role,
      ...content.map(plain),
    ]),
  ];
}

describe.each(Object.keys(MODELS) as (keyof typeof MODELS)[])('Any conversation with %s', (family) => {
  it('only grows, keeps its thinking, and is never refused', async () => {
    await holds(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { requests, failures } = await play(family, steps);
        expect(failures).toEqual([]);
        expect(requests.flatMap(({ error }) => error ?? [])).toEqual([]);
        expect(requests.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(0);
        for (const [index, request] of requests.entries()) {
          const before = requests[index - 1];
          if (!before || request.causes.size > 0) continue;
          expect(request.miss).toBeUndefined();
          const beginning = partsOf(before);
          expect(partsOf(request).slice(0, beginning.length)).toEqual(beginning);
        }
      }),
      { numRuns: 500 / Object.keys(MODELS).length },
    );
  });
});

it.each(['claude-opus-5-5', 'gpt-6-sol'])('%s keeps what another model found, if its server stops', async (model) => {
  const { fetch, served } = inProcess();
  const world = makeWorld([]);
  let history: Transcript = [];
  for (const [id, tools] of [
    ['gpt-4.1', ALL],
    [model, ALL],
    [model, MANY],
  ] as const) {
    world.source.catalog = makeCatalog([...tools, ...(tools === ALL ? MANY : [])]);
    const prompt = id === 'gpt-4.1' ? 'echo x=a' : 'nothing of this kind';
    history = [...history, ...(await playTurn(world, portOf(id, { fetch }), { prompt, history })).items];
  }
  expect(served.flatMap(({ error }) => error ?? [])).toEqual([]);
  const own = served.filter(({ body }) => body.model === model);
  const [before, after] = [own.at(-2), own.at(-1)].map((request) => partsOf(request as Served));
  expect(after?.slice(0, before?.length)).toEqual(before);
});
