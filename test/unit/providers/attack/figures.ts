// Random conversations whose figures are compared with an independent count, and with a plain client's cost.
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { eventsOf } from '../../../../src/core/ledger/events';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import { Session } from '../../../../src/core/turn/session';
import { Capabilities } from '../../../../src/providers/capabilities';
import {
  chosen,
  makeCatalog,
  makeServices,
  makeTool,
  schema,
  TestRunner,
  TestSink,
  TestSource,
} from '../../core/turn/world';
import { portOf } from '../ports';
import { streamed } from '../wires';
import { type Chance, chanceOf, type Wire } from './chance';
import { MODELS } from './models';
import { defersNothing, isCall, isSearch, replyKey, twinOf } from './plainClient';
import { type Bill, costOf, inputOf, piecesOf, pricesOf, requestTokens, Service, sumBills, tokensOf } from './service';

const TURNS = 6;
const MINUTE = 60_000;
const DELIVERIES = ['auto', 'auto', 'server', 'client', 'local', 'bridge'] as const;

/** A request that a service answered, in full or in part. */
interface Asked {
  readonly body: Wire;
  /** The request as the model read it last, with the reply up to the last search of the service's own. */
  readonly lastRead: Wire;
  readonly bills: readonly Bill[];
  /** The reply's blocks or items. */
  readonly reply: readonly Wire[];
  readonly cut: boolean;
}

type Figures = { readonly [figure in 'sent' | 'baseline' | 'tokens' | 'sentTokens']: number };

/** One turn as it was claimed and as it was. */
export interface JudgedTurn {
  readonly seed: number;
  readonly turn: number;
  readonly what: string;
  readonly status: string;
  readonly deferred: number;
  readonly claimed: Figures;
  readonly real: Figures;
  /** Cache misses: real ones that aren't shown, and shown ones that aren't real, in tokens. */
  readonly misses: number;
  readonly hidden: readonly string[];
  readonly invented: readonly string[];
  readonly negative: readonly string[];
}

interface Chat {
  history: Transcript;
  /** The requests so far, with the tokens that the cache held after each. */
  readonly held: { readonly model: string; readonly texts: readonly string[]; readonly tokens: number }[];
  model: string | undefined;
}

function randomTools(server: string, count: number, chance: Chance): Tool[] {
  const words = 'list issue page search board comment deploy table invoice query budget'.split(' ');
  const text = (most: number) => Array.from({ length: 2 + chance.nat(most) }, () => chance.pick(words)).join(' ');
  return Array.from({ length: count }, (_, index) =>
    makeTool(server, `${chance.pick(words)}_${index}`, `${text(30)}.`, {
      inputSchema: schema(
        Object.fromEntries(
          ['x', 'y', 'limit', 'owner', 'filter']
            .slice(0, 1 + chance.nat(5))
            .map((name) => [name, { type: 'string', description: text(10) }]),
        ),
        ['x'],
      ),
    }),
  );
}

export class FiguredConversation {
  readonly turns: JudgedTurn[] = [];
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #servers: Map<string, readonly Tool[]>;
  readonly #running: Set<string>;
  readonly #settings: Settings;
  readonly #models: readonly string[];
  readonly #ports = new Map<string, ReturnType<typeof portOf>>();
  readonly #sent = new Service();
  readonly #twin = new Service();
  readonly #asked = new Set<string>();
  readonly #replies = new Map<string, readonly Wire[]>();
  readonly #source = new TestSource(makeCatalog([]));
  readonly #session: Session;
  readonly #services: ReturnType<typeof makeServices>;
  readonly #chats: readonly Chat[] = [0, 1].map(() => ({ history: [], held: [], model: undefined }));
  #now = 1_700_000_000_000;
  #served: Asked[] = [];
  #fault: 'refused' | 'cut' | undefined;

  constructor(seed: number) {
    this.#seed = seed;
    this.#chance = chanceOf(seed);
    const chance = this.#chance;
    const size = chance.pick([4, 12, 30, 60]);
    this.#servers = new Map(
      ['main', 'other', 'late'].map((name, index) => [name, randomTools(name, Math.max(2, size >> index), chance)]),
    );
    this.#running = new Set(['main', 'other']);
    this.#settings = {
      ...DEFAULT_SETTINGS,
      mode: chance.pick(['on', 'on', 'on', 'auto', 'off']),
      delivery: chance.pick(DELIVERIES),
      strategy: 'bm25',
    };
    this.#models = [...new Set([chance.pick(Object.keys(MODELS)), ...chance.some(Object.keys(MODELS), 1)])];
    this.#services = makeServices(this.#source, {
      user: chosen(this.#settings),
      clock: { now: () => this.#now, timer: () => () => {}, yieldToEventLoop: async () => {} },
    });
    this.#session = new Session(this.#services);
  }

  async play(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await this.#ask(turn);
  }

  get #tools(): readonly Tool[] {
    return [...this.#running].sort().flatMap((name) => this.#servers.get(name) ?? []);
  }

  #port(model: string) {
    const made =
      this.#ports.get(model) ?? portOf(model, { capabilities: new Capabilities(), fetch: this.#fetch(model) });
    this.#ports.set(model, made);
    return made;
  }

  #fetch(model: string): typeof fetch {
    const answer = MODELS[model]?.(this.#chance, true);
    return async (input, init) => {
      const body: Wire = JSON.parse(String(init?.body));
      if (/count_tokens|input_tokens/.test(String(input)))
        return Response.json({ input_tokens: requestTokens({ ...body, model }) });
      const fault = this.#fault;
      this.#fault = undefined;
      const failure = (message: string) =>
        Response.json({ error: { type: 'invalid_request_error', message } }, { status: 400 });
      if (fault === 'refused') return failure('credit balance is too low');
      const betas = (new Headers(init?.headers).get('anthropic-beta') ?? '').split(',');
      const got = answer?.(body, betas) ?? { refused: 'no model' };
      if ('refused' in got) throw new Error(`${this.#seed}: ${got.refused}`);
      if (got.dropped > 0) throw new Error(`${this.#seed}: ${got.dropped} thoughts were lost`);
      const reply = got.reply ?? [];
      const cut = fault === 'cut';
      // The model reads everything again after each search of its own.
      const found = cut ? [] : reply.flatMap((block, index) => (isFound(block) ? [reply.slice(0, index + 1)] : []));
      const readings = [body, ...found.map((own) => continued(body, own))];
      const bills = readings.map((each) => this.#sent.reads(each, this.#now));
      const out = reply.reduce(
        (sum, block) => sum + tokensOf(block.text ?? JSON.stringify(block.input ?? block.arguments ?? '')),
        0,
      );
      this.#served.push({ body, lastRead: readings.at(-1) ?? body, bills, reply, cut });
      if (!cut) this.#replies.set(replyKey(reply), reply);
      const events = withUsage(got.events, bills, out);
      return streamed((cut ? events.slice(0, 1 + this.#chance.nat(Math.max(1, events.length - 2))) : events) as never, {
        signal: init?.signal,
      });
    };
  }

  #between(): string {
    const chance = this.#chance;
    switch (chance.nat(8)) {
      case 0:
        if (!this.#running.delete('late')) this.#running.add('late');
        return 'late';
      case 1:
        if (chance.percent(50) && !this.#running.delete('other')) this.#running.add('other');
        return 'other';
      case 2: {
        const tools = this.#servers.get('main') ?? [];
        const at = chance.nat(tools.length);
        this.#servers.set(
          'main',
          tools.with(at, { ...(tools[at] as Tool), description: `Now ${chance.nat(99)} differs.` }),
        );
        return 'changed';
      }
      default:
        return '';
    }
  }

  async #ask(turn: number): Promise<void> {
    const chance = this.#chance;
    const changed = turn > 0 ? this.#between() : '';
    this.#now += chance.pick([1, 1, 1, 2, 4, 7, 45]) * MINUTE;
    this.#source.catalog = makeCatalog(this.#tools, undefined, turn + 1);
    const chat = this.#chats[chance.percent(75) ? 0 : 1] as Chat;
    const model = turn > 0 && chance.percent(75) && chat.model ? chat.model : chance.pick(this.#models);
    const prompt = `Question ${turn} ${'word '.repeat(chance.pick([5, 60, 400]))}`;
    this.#asked.add(prompt);
    const kind = chance.pick([
      ...Array<string>(10).fill(''),
      '/eager',
      '/notools',
      '#tool',
      'refused',
      'cut',
      'stopped',
    ]);
    this.#fault = kind === 'refused' || kind === 'cut' ? kind : undefined;
    this.#served = [];
    const stop = new AbortController();
    const sink = new TestSink();
    if (kind === 'stopped') sink.text = () => stop.abort();
    const runner = new TestRunner(({ name }) => ({
      outcome: 'ok',
      parts: [{ type: 'text', text: `did ${name} ${'result '.repeat(chance.pick([1, 20, 300]))}` }],
    }));
    const tools = this.#source.catalog.tools;
    const port = this.#port(model);
    const outcome = await this.#session.ask(
      {
        prompt,
        history: chat.history,
        chat: `chat ${this.#chats.indexOf(chat)}`,
        references: new Set(kind === '#tool' ? [chance.pick(tools).id] : []),
        port,
        runner,
        ...(kind === '/eager' ? { mode: 'off' as const } : {}),
        ...(kind === '/notools' ? { withoutTools: true as const } : {}),
      },
      sink,
      stop.signal,
    );
    chat.history = [...chat.history, ...outcome.items];
    this.#judge({
      chat,
      model,
      turn,
      what: [model, this.#settings.mode, this.#settings.delivery, kind, changed].join(' '),
      tools,
      outcome,
    });
  }

  #judge({
    chat,
    model,
    turn,
    what,
    tools,
    outcome,
  }: {
    readonly chat: Chat;
    readonly model: string;
    readonly turn: number;
    readonly what: string;
    readonly tools: readonly Tool[];
    readonly outcome: { readonly turn: number; readonly status: string };
  }): void {
    const { ledger } = this.#services;
    const rounds = eventsOf(
      ledger.events.filter((event) => event.turn === outcome.turn),
      'roundEnded',
    ).filter(({ tokens }) => tokens.sent.value > 0);
    const twins: { readonly cost: number; readonly tokens: number }[] = [];
    const sum = (bills: readonly Bill[]) => ({
      cost: bills.reduce((all, bill) => all + costOf(bill, model), 0),
      tokens: inputOf(sumBills(bills)),
    });
    let joined = false;
    const ended = this.#served.map((asked, index) => ({
      ...asked,
      // A stopped question stops at the first text of its last reply.
      ...(outcome.status === 'cancelled' && index === this.#served.length - 1
        ? { cut: true, bills: asked.bills.slice(0, readingsBefore(asked.reply)) }
        : {}),
    }));
    for (const { body, reply, bills, cut } of ended) {
      const calls = cut ? [] : reply.filter(isCall);
      const searched = calls.length > 0 && calls.every(isSearch);
      const ownSearch =
        !cut && reply.some(({ type, execution }) => type === 'tool_search_call' && execution === 'client');
      const own = sum(bills);
      // What a reply calls that only the reply before it found, a plain client's model calls at once.
      if (!searched && !ownSearch && !(joined && calls.length > 0)) {
        const idle = defersNothing(body, tools);
        const said = { asked: this.#asked, replies: this.#replies };
        const twin = sum([this.#twin.reads(twinOf(body, tools, said), this.#now)]);
        // Where nothing is deferred, and of a question without an answer, nothing is saved.
        const saves = !idle && !cut && outcome.status !== 'failed';
        twins.push(saves || twin.cost <= own.cost ? twin : own);
      }
      joined = !searched && calls.length > 0 && calls.some(isSearch);
    }
    const report = this.#session.lastReport;
    const sent = sum(ended.flatMap(({ bills }) => bills));
    const twin = {
      cost: twins.reduce((all, { cost }) => all + cost, 0),
      tokens: twins.reduce((all, { tokens }) => all + tokens, 0),
    };
    const misses = this.#misses(
      chat,
      model,
      rounds.map(({ prefix }) => prefix),
    );
    const numbers = rounds.flatMap(({ tokens }) => [
      tokens.cost?.sent,
      tokens.cost?.baseline,
      tokens.sent.value,
      tokens.baseline.value,
      ...Object.values(tokens.cost?.parts ?? {}),
      tokens.baselineCache?.read,
      tokens.baselineCache?.write,
    ]);
    this.turns.push({
      seed: this.#seed,
      turn,
      what: `${what} ${rounds.length}/${this.#served.length}`,
      status: outcome.status,
      deferred: report?.deferred ?? 0,
      claimed: {
        sent: report?.cost?.sent ?? 0,
        baseline: report?.cost?.baseline ?? 0,
        tokens: report?.baselineTokens ?? 0,
        sentTokens: report?.sentTokens ?? 0,
      },
      real: { sent: sent.cost, baseline: twin.cost, tokens: twin.tokens, sentTokens: sent.tokens },
      ...misses,
      negative: numbers.some((value) => value !== undefined && value < 0)
        ? [JSON.stringify(rounds.map(({ tokens }) => tokens))]
        : [],
    });
  }

  #misses(
    chat: Chat,
    model: string,
    shown: readonly (Prefix | undefined)[],
  ): Pick<JudgedTurn, 'misses' | 'hidden' | 'invented'> {
    const hidden: string[] = [];
    const invented: string[] = [];
    let misses = 0;
    const served = this.#served;
    for (const [index, { bills, body, lastRead }] of served.entries()) {
      const [first] = bills;
      const last = bills.at(-1);
      if (!first || !last) continue;
      const pieces = piecesOf(body);
      const texts = pieces.map(({ text }) => text);
      // What could be in the cache is the request with the longest beginning in common that is long enough.
      const length = (before: readonly string[]) => {
        const differs = before.findIndex((text, at) => text !== texts[at]);
        const shared = pieces.slice(0, differs < 0 ? before.length : differs);
        const tokens = shared.reduce((sum, piece) => sum + piece.tokens, 0);
        return tokens < pricesOf(model).minimum ? 0 : tokens;
      };
      const known = chat.held.filter((before) => before.model === model).reverse();
      const nearest = known.reduce(
        (best: (typeof known)[number] | undefined, before) =>
          best && length(best.texts) >= length(before.texts) ? best : before,
        undefined,
      );
      const held = nearest?.tokens;
      const said = served.length === shown.length ? shown[index] : undefined;
      const missed = held === undefined ? 0 : held - first.read;
      if (missed >= 128) {
        misses++;
        if (!said?.broke) hidden.push(`round ${index}: ${missed} of ${held}, ${JSON.stringify(said)}`);
      } else if (said?.broke && said.lost.value > 128 && chat.model === model)
        invented.push(`round ${index}: ${JSON.stringify(said)}, ${missed} of ${held}`);
      const isClaude = !model.startsWith('gpt');
      const total = inputOf(last);
      chat.held.push({
        model,
        texts: piecesOf(lastRead).map(({ text }) => text),
        tokens: isClaude ? last.read + last.write : total < 1024 ? 0 : total - (total % 128),
      });
      chat.model = model;
    }
    return { misses, hidden, invented };
  }
}

interface Prefix {
  readonly lost: { readonly value: number };
  readonly broke?: unknown;
}

/** A stream with the usage of its readings in place of the double's. */
function withUsage(events: readonly Wire[], bills: readonly Bill[], out: number): readonly Wire[] {
  const claude = (bill: Bill, output: number) => ({
    input_tokens: bill.fresh,
    cache_read_input_tokens: bill.read,
    cache_creation_input_tokens: bill.write,
    output_tokens: output,
  });
  const all = sumBills(bills);
  const gpt = {
    input_tokens: inputOf(all),
    input_tokens_details: { cached_tokens: all.read, ...(all.write > 0 ? { cache_write_tokens: all.write } : {}) },
    output_tokens: out,
  };
  return events.map((event) =>
    event.type === 'message_start'
      ? { ...event, message: { ...event.message, usage: claude(bills[0] as Bill, 1) } }
      : event.type === 'message_delta'
        ? { ...event, usage: claude(all, out) }
        : event.response?.usage
          ? { ...event, response: { ...event.response, usage: gpt } }
          : event,
  );
}

/** How often the model has read a request when its reply's first text comes. */
function readingsBefore(reply: readonly Wire[]): number {
  const text = reply.findIndex(({ type }) => type === 'text' || type === 'message');
  const before = text < 0 ? reply : reply.slice(0, text);
  return 1 + before.filter(isFound).length;
}

/** Whether a block or item is the result of a search of the service's own. */
const isFound = ({ type, execution }: Wire) =>
  type === 'tool_search_tool_result' || (type === 'tool_search_output' && execution === 'server');

/** A request with the beginning of its reply. */
const continued = (body: Wire, reply: readonly Wire[]): Wire =>
  body.input
    ? { ...body, input: [...body.input, ...reply] }
    : { ...body, messages: [...body.messages, { role: 'assistant', content: reply }] };
