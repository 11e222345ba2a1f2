/**
 * What both services count and cache, by their documentation. Written independently of the stand-in in `test/standin`
 * and of `src/core/usage`. Only prices are shared, as data.
 */
import { createHash } from 'node:crypto';
import { modelPrices } from '../../../../src/core/models/modelFacts';
import type { ModelPrices } from '../../../../src/core/models/types';
import { plain, type Wire } from './chance';
import { blocks, entered, isThought } from './claudeRules';

/** Input tokens by price, and output tokens. */
export interface Bill {
  readonly fresh: number;
  readonly read: number;
  readonly write: number;
  readonly out: number;
}

/** A piece of a request in the order in which the model reads it. */
interface Piece {
  readonly text: string;
  readonly tokens: number;
  /** Whether the client or the service marked the piece's end for the cache. */
  readonly marked: boolean;
}

/** Tokens of the prompt that Claude adds as soon as a request has a tool. */
const TOOL_PROMPT = 290;
/** Tokens of the service's own search tool. */
const SEARCH_TOOL = 120;
/** Claude looks for a cached beginning at so many ends of blocks, the marked one among them. */
const LOOK_BACK = 20;

/** A word is a token for each five letters begun, a number one for each three digits, any other sign one. */
export function tokensOf(text: string): number {
  let sum = 0;
  for (const [word] of text.matchAll(/\p{L}+|\d+|[^\p{L}\d\s]/gu))
    sum += /^\p{L}/u.test(word) ? Math.ceil(word.length / 5) : Math.ceil(word.length / 3);
  return sum;
}

export const pricesOf = (model: string): ModelPrices => {
  const prices = modelPrices({ vendor: model.startsWith('gpt') ? 'openai' : 'anthropic', id: model });
  if (!prices) throw new Error(`No prices of ${model}`);
  return prices;
};

/** The cost of a bill's input in units of a fresh token. */
export const costOf = ({ fresh, read, write }: Bill, model: string): number =>
  fresh + read * pricesOf(model).read + write * pricesOf(model).write;
export const inputOf = ({ fresh, read, write }: Bill): number => fresh + read + write;

const isMarked = ({ cache_control: mark }: Wire) => mark !== undefined;
const words = (value: unknown): string => (typeof value === 'string' ? value : plain(value));

function claudeTool({ name, description, input_schema: schema, type }: Wire): string {
  return schema ? plain([name, description ?? '', schema]) : `${type} ${name}`;
}

/** A Claude request without the tools that wait to be found. Their definitions stand at the place that found them. */
export function claudePieces(body: Wire): readonly Piece[] {
  const tools: readonly Wire[] = body.tools ?? [];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const loaded = tools.filter((tool) => !tool.defer_loading);
  const head = loaded.map((tool, index) => ({
    text: claudeTool(tool),
    tokens:
      (tool.input_schema ? tokensOf(claudeTool(tool)) : SEARCH_TOOL) + (index === 0 && body.messages ? TOOL_PROMPT : 0),
    marked: isMarked(tool),
  }));
  const system = blocks(body.system ?? []).map((block) => ({
    text: block.text,
    tokens: tokensOf(block.text),
    marked: isMarked(block),
  }));
  // What the model must choose is part of what is cached of the messages, and of nothing before them.
  const choice = body.tool_choice && body.tool_choice.type !== 'auto' ? plain(body.tool_choice) : '';
  const said = body.messages.flatMap(({ role, content }: Wire, at: number) =>
    blocks(content).map((block, index): Piece => {
      const found = entered(block).map((name) => claudeTool(byName.get(name) ?? {}));
      const text = [role, plain(isThought(block) ? block.thinking : block), ...found].join('\n');
      const begins = (at === 0 && index === 0 ? choice : '') + (index === 0 ? `\n${role}` : '');
      return {
        text: begins + text,
        tokens: blockTokens(block) + found.reduce((sum, it) => sum + tokensOf(it), 0) + (index === 0 ? 3 : 0),
        // The service marks the results of its own tools.
        marked: isMarked(block) || block.type === 'tool_search_tool_result',
      };
    }),
  );
  return [...head, ...system, ...said];
}

function blockTokens(block: Wire): number {
  switch (block.type) {
    case 'text':
      return tokensOf(block.text);
    case 'thinking':
      return tokensOf(block.thinking);
    case 'redacted_thinking':
      return 0;
    case 'tool_use':
    case 'server_tool_use':
      return 8 + tokensOf(block.name) + tokensOf(plain(block.input));
    case 'tool_result':
      return 6 + blocks(block.content).reduce((sum, part) => sum + (part.type === 'text' ? tokensOf(part.text) : 4), 0);
    case 'tool_search_tool_result':
      return 6;
    case 'tool_addition':
      return block.tool.definition ? tokensOf(claudeTool(block.tool.definition)) + 4 : 4;
    case 'tool_removal':
      return 6;
    default:
      return tokensOf(words(block));
  }
}

function gptTool(tool: Wire): string {
  if (tool.type === 'namespace')
    return plain([tool.name, tool.description, tool.tools.filter((it: Wire) => !it.defer_loading).map(gptTool)]);
  if (tool.type !== 'function') return plain([tool.type, tool.description ?? '', tool.parameters ?? '']);
  // Of a deferred function outside a namespace, name and description are seen.
  return plain([tool.name, tool.description ?? '', tool.defer_loading ? '' : tool.parameters]);
}

export function gptPieces(body: Wire): readonly Piece[] {
  const piece = (text: string, more = 0): Piece => ({ text, tokens: tokensOf(text) + more, marked: false });
  return [
    ...(body.tools ?? []).map((tool: Wire) => piece(gptTool(tool))),
    ...(body.instructions ? [piece(body.instructions)] : []),
    ...(typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input).map(
      (item: Wire): Piece => {
        switch (item.type) {
          case 'reasoning':
            return { text: plain(item), tokens: 2, marked: false };
          case 'function_call':
            return piece(`${item.call_id} ${item.name} ${item.arguments}`, 4);
          case 'function_call_output':
            return piece(`${item.call_id} ${typeof item.output === 'string' ? item.output : plain(item.output)}`, 4);
          case 'tool_search_call':
            return piece(`search ${item.call_id ?? ''} ${plain(item.arguments)}`, 4);
          case 'tool_search_output':
          case 'additional_tools':
            // The found tools with their definitions, whatever stands in the request's list.
            return piece(plain([item.type, item.call_id ?? '', listedTools(item.tools)]), 4);
          default:
            return piece(`${item.role} ${typeof item.content === 'string' ? item.content : textsIn(item.content)}`, 3);
        }
      },
    ),
  ];
}

const listedTools = (tools: readonly Wire[]): readonly string[] =>
  tools.flatMap((tool) =>
    tool.type === 'namespace'
      ? [tool.name, ...listedTools(tool.tools)]
      : [gptTool({ ...tool, type: 'function', defer_loading: undefined })],
  );
const textsIn = (content: readonly Wire[] = []) => content.map((part) => part.text ?? plain(part)).join('\n');

export const piecesOf = (body: Wire): readonly Piece[] => (body.input ? gptPieces(body) : claudePieces(body));
export const requestTokens = (body: Wire): number => piecesOf(body).reduce((sum, { tokens }) => sum + tokens, 0);

interface Entry {
  readonly tokens: number;
  usedAt: number;
}

/** A service's caches for one customer. Models and chats share the caches of none and all. */
export class Service {
  readonly #claude = new Map<string, Entry>();
  #gpt: readonly { readonly model: string; readonly pieces: readonly Piece[]; readonly at: number }[] = [];

  reads(body: Wire, at: number): Bill {
    return body.input ? this.#gptReads(body, at) : this.#claudeReads(body, at);
  }

  #claudeReads(body: Wire, at: number): Bill {
    const { minimum, lifeMs } = pricesOf(body.model);
    const pieces = claudePieces(body);
    const ends: { readonly key: string; readonly tokens: number }[] = [];
    let key = body.model;
    let tokens = 0;
    for (const piece of pieces) {
      key = createHash('sha256').update(key).update(piece.text).digest('base64');
      tokens += piece.tokens;
      ends.push({ key, tokens });
    }
    const marks = pieces.flatMap(({ marked }, index) => (marked ? [index] : []));
    let read = 0;
    for (const mark of marks)
      for (let place = mark; place > mark - LOOK_BACK && place >= 0; place--) {
        const end = ends[place] as (typeof ends)[number];
        const entry = this.#claude.get(end.key);
        if (!entry || at - entry.usedAt > lifeMs || end.tokens < minimum) continue;
        entry.usedAt = at;
        read = Math.max(read, end.tokens);
        break;
      }
    let held = read;
    for (const mark of marks) {
      const end = ends[mark] as (typeof ends)[number];
      if (end.tokens < minimum) continue;
      this.#claude.set(end.key, { tokens: end.tokens, usedAt: at });
      held = Math.max(held, end.tokens);
    }
    return { fresh: tokens - held, read, write: held - read, out: 0 };
  }

  #gptReads(body: Wire, at: number): Bill {
    const { minimum, write, ends } = pricesOf(body.model);
    const step = ends === 'marks' ? 128 : ends;
    const whole = (tokens: number) => (tokens < minimum ? 0 : tokens - (tokens % step));
    const pieces = gptPieces(body);
    const total = pieces.reduce((sum, { tokens }) => sum + tokens, 0);
    let read = 0;
    this.#gpt = this.#gpt.filter((entry) => at - entry.at <= pricesOf(entry.model).lifeMs);
    for (const entry of this.#gpt)
      if (entry.model === body.model) read = Math.max(read, whole(sharedTokens(entry.pieces, pieces)));
    this.#gpt = [{ model: body.model, pieces, at }, ...this.#gpt];
    const written = write > 1 ? whole(total) - read : 0;
    return { fresh: total - read - written, read, write: written, out: 0 };
  }
}

/** Tokens that two requests share from the start, also a part of the first piece that differs. */
function sharedTokens(before: readonly Piece[], now: readonly Piece[]): number {
  let sum = 0;
  for (const [index, piece] of now.entries()) {
    const was = before[index];
    if (!was) return sum;
    if (was.text === piece.text) {
      sum += piece.tokens;
      continue;
    }
    let same = 0;
    while (same < piece.text.length && was.text[same] === piece.text[same]) same++;
    return sum + Math.min(piece.tokens, tokensOf(piece.text.slice(0, same)));
  }
  return sum;
}

export const sumBills = (bills: readonly Bill[]): Bill =>
  bills.reduce(
    (sum, bill) => ({
      fresh: sum.fresh + bill.fresh,
      read: sum.read + bill.read,
      write: sum.write + bill.write,
      out: sum.out + bill.out,
    }),
    { fresh: 0, read: 0, write: 0, out: 0 },
  );
