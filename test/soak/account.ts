// The soak's own account of each chat: the calls that ran for its questions, and what it sent to each model.
import type { Call, ModelRequest } from '../../src/core/ports';
import { asObject } from '../../src/core/util/objects';
import type { StandInRequest } from '../standin/server.mjs';

/** A call that was passed to a server. A conversation has only the script of ours that made it. */
export type Made = Pick<Call, 'callId'> & { readonly tool: string; readonly script: string | undefined };

/** All attempts at one question of a chat that VS Code still has. */
interface Question {
  readonly prompt: string;
  readonly isAnswered: boolean;
  readonly attempts: readonly { readonly turn: number; readonly made: readonly Made[] }[];
  /** The tokens of its newest request to each model, and the window that sent it. */
  readonly sent: ReadonlyMap<string, { readonly tokens: number; readonly window: number }>;
}

/** A turn that a user asked for, undefined if it was stopped before it began. `prompts` are all that VS Code has. */
export interface Asking extends Pick<Question, 'isAnswered'> {
  readonly chat: string;
  readonly prompts: readonly string[];
  readonly turn: number | undefined;
  readonly made: readonly Made[];
  readonly requests: readonly ModelRequest[];
  /** What the service got; empty if another question was asked at the same time. */
  readonly sent: readonly StandInRequest[];
  /** Whether the first request is told to miss the cache because the model changed. */
  readonly misses: boolean;
  readonly window: number;
}

/** The chats that are kept. */
const CHATS = 20;

export class Account {
  readonly #chats = new Map<string, readonly Question[]>();

  /** Notes a turn. Returns the calls of its chat that its requests lack, and a cache miss that was none. */
  note(asking: Asking): readonly string[] {
    const { chat, turn, made, isAnswered, window } = asking;
    const [prompt = '', ...before] = asking.prompts.filter(Boolean).reverse();
    const all = this.#chats.get(chat) ?? [];
    const [kept, taken] = [all.slice(0, before.length), all[before.length]];
    // VS Code's Retry takes the question out. It goes on with the calls of its attempts, unless it was answered.
    const again = taken?.prompt === prompt && !taken.isAnswered ? taken.attempts : [];
    const attempts = turn === undefined ? again : [...again, { turn, made }];
    const sent = new Map(asking.sent.flatMap(countedOf).map(({ model, tokens }) => [model, { tokens, window }]));
    this.#chats.delete(chat);
    this.#chats.set(chat, [...kept, { prompt, isAnswered, attempts, sent }]);
    for (const [oldest] of this.#chats) if (this.#chats.size > CHATS) this.#chats.delete(oldest);
    return [...lacking(asking.requests, [...kept.flatMap((it) => it.attempts), ...again]), ...falseMiss(asking, kept)];
  }
}

/** Calls that ran in a chat and that a later request lacks: a model that doesn't see them makes them again. */
function lacking(requests: readonly ModelRequest[], earlier: Question['attempts']): readonly string[] {
  const found = requests.flatMap(({ transcript }, at) => {
    const results = transcript.flatMap((it) => (it.kind === 'results' ? it.results : []));
    const ids = new Set(results.map(({ callId }) => callId));
    return earlier.flatMap(({ turn, made }) => {
      const lost = made.filter(({ callId, script = '' }) => !ids.has(callId) && !ids.has(script));
      // What is only in the record of turns gets other names.
      const named = [...ids].filter((id) => id.startsWith(`cut_${turn}_`)).length;
      const isThere = named >= new Set(lost.map(({ callId, script }) => script ?? callId)).size;
      const tools = lost.map(({ tool }) => tool).join(', ');
      return isThere ? [] : [`request ${at + 1} lacks ${tools} of turn ${turn}, which ran for its chat before`];
    });
  });
  return found.slice(0, 1);
}

/** A miss because of another model, where the service still had what the chat had sent to this model. */
function falseMiss({ sent, misses, window }: Asking, kept: readonly Question[]): readonly string[] {
  const [{ model = '', cached = 0 } = {}] = sent.flatMap(countedOf);
  const before = kept.map((it) => it.sent.get(model)).findLast((it) => it?.window === window);
  return misses && before && cached >= 0.9 * before.tokens
    ? [`a request counts as a miss by another model, where ${model} read ${cached} of ${before.tokens} tokens again`]
    : [];
}

/** The tokens of a request as the service counted them, and those that it had in its cache; empty if it failed. */
function countedOf({ body, usage }: StandInRequest) {
  if (!usage) return [];
  const { input_tokens: fresh = 0, cache_read_input_tokens: read = 0, cache_creation_input_tokens: put = 0 } = usage;
  const cached = read + (usage.input_tokens_details?.cached_tokens ?? 0);
  return [{ model: String(asObject(body)?.model), tokens: fresh + read + put, cached }];
}
