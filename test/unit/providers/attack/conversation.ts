// Random conversations with models that do anything that their service allows.
import { createHash } from 'node:crypto';
import type { Tool } from '../../../../src/core/catalog/tool';
import { readTranscript, type Transcript } from '../../../../src/core/conversation/transcript';
import type { ModelPort } from '../../../../src/core/ports';
import { NO_PINS, type Pins, withPin } from '../../../../src/core/settings/pins';
import type { Settings } from '../../../../src/core/settings/settings';
import { Capabilities } from '../../../../src/providers/capabilities';
import { filler, makeCatalog, makeTool, makeWorld, playTurn, schema, TestRunner } from '../../core/turn/world';
import { portOf } from '../ports';
import { streamed } from '../wires';
import { type Chance, chanceOf, plain, type Wire } from './chance';
import { MODELS } from './models';

export const QUESTIONS = 10;

/** Models for which the beginning of a conversation stays the same when tools join. */
const GROWS = /opus-5|fable|^gpt-[56]/;

const text = { inputSchema: schema({ x: { type: 'string' } }, ['x']) };
const MATH = ['echo', 'shout', 'draw'].map((name) => makeTool('math', name, `Does ${name}`, text));
const LATE = [makeTool('late', 'whisper', 'Does whisper', text), ...filler('late', 12)];
const ALL = [...MATH, ...LATE, ...filler('many', 35)];
const PICTURE = { type: 'image' as const, mimeType: 'image/png', bytes: 4, data: 'AAAA' };
const SETTINGS: readonly Partial<Settings>[] = [
  { mode: 'on' },
  { mode: 'off' },
  { mode: 'auto' },
  { guidance: 'off' },
  { delivery: 'auto' },
  { delivery: 'server' },
  { delivery: 'local' },
  { delivery: 'bridge' },
  { codeMode: 'on' },
  { codeMode: 'auto' },
  { hiddenTools: { math: ['echo'] } },
  { hiddenTools: {} },
  { allowedCallers: { 'math/*': 'both' } },
  { allowedCallers: { 'math/*': 'code' } },
  { allowedCallers: {} },
];

export interface Sent {
  readonly model: string;
  readonly body: Wire;
  readonly refused?: string;
  readonly dropped: number;
  /** Whether the user has changed something since the last request that may change the beginning. */
  readonly changed: boolean;
}

/** A request in the order in which its model reads it. */
export function partsOf({ body }: Pick<Sent, 'body'>): readonly string[] {
  const visible = (body.tools ?? []).filter((tool: Wire) => !tool.defer_loading);
  if (body.input)
    return [
      ...visible.map(({ tools, ...tool }: Wire) => plain([tool, tools?.filter((inner: Wire) => !inner.defer_loading)])),
      plain(body.instructions),
      ...body.input.map(plain),
    ];
  const said = body.messages.flatMap(({ role, content }: Wire) => [role, ...content.map(plain)]);
  return [...visible.map(plain), plain(body.system), ...said];
}

const hashOf = (parts: readonly string[]) => createHash('sha256').update(plain(parts)).digest('hex');

/** A conversation in which everything may happen between questions, and a turn may be cancelled. */
export class Conversation {
  readonly sent: Sent[] = [];
  readonly failures: string[] = [];
  readonly #chance: Chance;
  readonly #world = makeWorld([]);
  readonly #ports: readonly ModelPort[];
  #servers = new Set(['math', 'many']);
  #redefined = new Map<string, Tool>();
  #settings: Partial<Settings> = { delivery: 'auto', allowedCallers: { 'math/*': 'both' } };
  #pins: Pins = NO_PINS;
  #history: Transcript = [];
  #port: ModelPort;
  #changed = false;
  #prompt = '';
  #isOpen = false;
  #asked = 0;

  constructor(seed: number) {
    this.#chance = chanceOf(seed);
    const small = this.#chance.percent(30);
    const names = [this.#chance.pick(Object.keys(MODELS)), ...this.#chance.some(Object.keys(MODELS), 2)];
    this.#ports = [...new Set(names)].map((name) => this.#portOf(name, small));
    this.#port = this.#ports[0] as ModelPort;
  }

  #portOf(model: string, small: boolean): ModelPort {
    const answer = MODELS[model]?.(this.#chance);
    const service = model.startsWith('gpt') ? 'openai' : 'anthropic';
    const capabilities = new Capabilities();
    if (small) capabilities.learn(service, model, { maxInputTokens: 4_000 });
    const ask: typeof fetch = async (input, init) => {
      if (/count_tokens|input_tokens/.test(String(input))) return Response.json({ input_tokens: 100 });
      const body = JSON.parse(String(init?.body));
      const betas = (new Headers(init?.headers).get('anthropic-beta') ?? '').split(',');
      const got = answer?.(body, betas) ?? { refused: 'no model' };
      const refused = 'refused' in got ? { refused: got.refused } : {};
      this.sent.push({ model, body, dropped: 'dropped' in got ? got.dropped : 0, changed: this.#changed, ...refused });
      this.#changed = false;
      return 'events' in got
        ? streamed(got.events as never)
        : Response.json({ error: { type: 'invalid_request_error', message: got.refused } }, { status: 400 });
    };
    return portOf(model, { capabilities, fetch: ask });
  }

  async play(): Promise<void> {
    for (let question = 0; question < QUESTIONS; question++) {
      for (let events = this.#chance.nat(3); events > 0; events--) this.#between();
      await this.#ask();
    }
  }

  #between(): void {
    const chance = this.#chance;
    const tool = chance.pick([...MATH, ...LATE.slice(0, 2)]);
    switch (chance.nat(7)) {
      case 0:
        if (!this.#servers.delete('late')) this.#servers.add('late');
        break;
      case 1:
        if (chance.percent(30) && !this.#servers.delete('math')) this.#servers.add('math');
        break;
      case 2:
        this.#pins = withPin(this.#pins, { kind: 'tool', id: tool.id }, chance.pick(['eager', 'deferred', 'auto']));
        break;
      case 3: {
        const settings = chance.pick(SETTINGS);
        // Who may call from code decides on the delivery too.
        this.#changed ||= ['delivery', 'hiddenTools', 'codeMode', 'allowedCallers'].some((name) => name in settings);
        this.#settings = { ...this.#settings, ...settings };
        break;
      }
      case 4:
        this.#port = chance.pick(this.#ports);
        break;
      case 5:
        this.#redefined.set(tool.id, { ...tool, description: `${tool.description} ${chance.nat(9)}` });
        break;
      default:
        this.#history = readTranscript(JSON.parse(JSON.stringify(this.#history))) ?? [];
    }
  }

  async #ask(): Promise<void> {
    const chance = this.#chance;
    const tools = ALL.filter(({ server }) => this.#servers.has(server)).map(
      (tool) => this.#redefined.get(tool.id) ?? tool,
    );
    this.#world.source.catalog = makeCatalog(tools);
    const cancel = new AbortController();
    const stops = chance.percent(10);
    const runner = new TestRunner(({ name }) => {
      if (stops && chance.percent(40)) cancel.abort();
      return { outcome: 'ok', parts: [{ type: 'text', text: `did ${name}` }, ...(name === 'draw' ? [PICTURE] : [])] };
    });
    const named = chance.percent(20) ? chance.some(tools.slice(0, 4), 3).map(({ id }) => id) : [];
    // A stopped question is sometimes asked again.
    if (!this.#isOpen || chance.percent(50))
      this.#prompt = `question ${++this.#asked} ${'word '.repeat(chance.nat(200))}`;
    const outcome = await playTurn(this.#world, this.#port, {
      prompt: this.#prompt,
      history: this.#history,
      pins: this.#pins,
      settings: this.#settings,
      references: new Set(named),
      runner,
      ...(chance.percent(5) ? { withoutTools: true as const } : {}),
      signal: cancel.signal,
    });
    this.#isOpen = outcome.status !== 'answered';
    this.#history = [...this.#history, ...outcome.items];
    if (outcome.status === 'failed') this.failures.push(`${this.#port.info.id}: ${outcome.message}`);
  }
}

/** Requests whose beginning differs from the request before, without a reason from the decision's table. */
export function changedBeginnings(sent: readonly Sent[]): readonly string[] {
  return sent.flatMap((request, index) => {
    const before = sent[index - 1];
    if (!before || before.model !== request.model || request.changed || !GROWS.test(request.model)) return [];
    const beginning = partsOf(before);
    const now = partsOf(request);
    if (hashOf(now.slice(0, beginning.length)) === hashOf(beginning)) return [];
    // A cut history begins with another question.
    const first = ({ body }: Sent) => plain((body.messages ?? body.input)[0]);
    if (first(before) !== first(request)) return [];
    const at = beginning.findIndex((part, place) => part !== now[place]);
    // Tools that another model found may disappear when the model changes, and reappear later.
    const isFound = /tool_reference|tool_search_output/.test(`${beginning[at]}`);
    if (isFound && sent.slice(0, index).some(({ model }) => model !== request.model)) return [];
    return [
      `request ${index} of ${request.model}, part ${at}:\n  ${beginning[at]?.slice(0, 600)}\n  ${now[at]?.slice(0, 600)}`,
    ];
  });
}
