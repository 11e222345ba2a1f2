// A note that makes a short conversation long enough to be cached by the model's service.

import type { Tool } from '../catalog/tool';
import { whatItDoes } from '../code/shortDescriptions';
import { itemLength } from '../conversation/keptHistory';
import { isQuestion, type Transcript, type TranscriptItem } from '../conversation/transcript';
import { modelPrices } from '../models/modelFacts';
import type { ModelInfo } from '../ports';
import { DEFAULT_CHARS_PER_TOKEN } from '../usage/tokens';
import { cut } from '../util/cut';
import { groupBy } from '../util/groupBy';
import { roundRobin } from '../util/roundRobin';

/** The requests of a question that needs a search and a call. */
const REQUESTS = 3;
/** The share of the minimum that is added to it, since lengths are estimated. */
const MARGIN = 0.1;
/** The approximate length of a service's own markup around a call or a result, in characters. */
const MARKUP = 150;
/** The maximum length of the words on a tool, in characters. */
const MAX_WORDS = 60;

/** A conversation, ready for its next question's first request. */
interface Conversation {
  readonly model: ModelInfo;
  /** The length of everything before the first question, in characters. */
  readonly beginning: number;
  readonly transcript: Transcript;
  readonly deferred: readonly Tool[];
}

/**
 * Returns a list of deferred tools that brings a conversation to the minimum length that its service caches. Undefined
 * if the conversation has that length or this question brings it there, or if this question would cost more with the
 * note, counted with {@link REQUESTS} requests. Later questions then pay for reading the note from the cache
 * (docs/decisions/short-beginnings.md).
 */
export function fillingNote({ model, beginning, transcript, deferred }: Conversation): string | undefined {
  const prices = modelPrices(model);
  if (!prices) return undefined;
  const { read, write, minimum, ends } = prices;
  const said = lengthOf(transcript);
  const length = (beginning + said) / DEFAULT_CHARS_PER_TOKEN;
  const earlier = transcript.filter(isQuestion).length - 1;
  const added = earlier > 0 ? said / earlier / DEFAULT_CHARS_PER_TOKEN : 0;
  const filled = minimum * (1 + MARGIN);
  const isDearer = filled * (write + (REQUESTS - 1) * read) > REQUESTS * length + added;
  // A cache that ends at marks takes a question up with its last requests, one that ends anywhere earlier.
  const reached = length + (ends === 'marks' ? added / 2 : added);
  if (reached >= minimum || isDearer) return undefined;
  const missing = Math.ceil((filled - length) * DEFAULT_CHARS_PER_TOKEN);
  const list = listOf(deferred, missing);
  return list.length < missing ? undefined : `(Some of the tools that a search finds:${list})`;
}

function lengthOf(transcript: Transcript): number {
  return transcript.reduce((sum, item) => sum + itemLength(item) + MARKUP * blocksOf(item), 0);
}

/** Returns the number of calls or results of an item. */
function blocksOf(item: TranscriptItem): number {
  if (item.kind === 'assistant') return item.calls.length;
  return item.kind === 'results' ? item.results.length : 0;
}

/** Lists tools and what they do, by server, up to at least `chars` characters if there are enough. Servers take turns. */
function listOf(tools: readonly Tool[], chars: number): string {
  const servers = [...groupBy(tools, ({ server }) => server)];
  const parts = servers.map(([server]) => ({ head: `\n${JSON.stringify(cut(server, 40))}`, lines: '' }));
  let length = 0;
  for (const { list, item } of roundRobin(servers.map(([, own]) => own))) {
    const part = parts[list];
    if (!part || length >= chars) break;
    // A description is read only if its tool is listed: there may be thousands.
    const line = `\n- ${item.modelName}: ${whatItDoes(item.description, MAX_WORDS)}`;
    length += (part.lines === '' ? part.head.length : 0) + line.length;
    part.lines += line;
  }
  return parts.flatMap(({ head, lines }) => (lines === '' ? [] : [head + lines])).join('');
}
