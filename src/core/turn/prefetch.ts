import type { Catalog } from '../catalog/catalog';
import { RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import { permissionOf } from '../code/callPermission';
import { scriptName } from '../code/signature';
import type { ToolCall, Transcript, TranscriptItem } from '../conversation/transcript';
import type { SearchOutcome } from '../search/types';
import { asObject } from '../util/objects';
import type { CallDeps } from './callDeps';
import { recordDiscovered, searchedEntry } from './recordSearch';
import { answerSearch } from './searchTools';

/** A longer question holds more than what it asks for: what was pasted names tools that nobody wants. In UTF-16 units. */
const MAX_QUESTION = 1_000;
/** After so many that weren't used a conversation's questions aren't searched with any more. */
const MAX_UNUSED = 2;

/** The tool that a user's own words name plainly enough to be found before the model is asked. */
export function plainlyMeant(outcome: SearchOutcome): Tool | undefined {
  return outcome.ok && outcome.plain ? outcome.hits[0]?.tool : undefined;
}

/**
 * Searches with the user's own words before the model is asked (`toolsearch.prefetch`). Where they name a tool plainly, the
 * conversation gets the search and its result as if the model had searched, on every wire in the form of a search of ours:
 * the tool is there at once, and a model call less is made. Empty where nothing is to be found so. Never rejects.
 * @param before the conversation before the question
 */
export async function prefetch(
  question: string,
  before: Transcript,
  deps: CallDeps,
  signal: AbortSignal,
): Promise<readonly TranscriptItem[]> {
  const { settings, delivery, strategy, deferred, eager, catalog } = deps;
  if (settings.prefetch === 'off' || (delivery !== 'local' && delivery !== 'client')) return [];
  if (deferred.length === 0 || (strategy !== 'auto' && strategy !== 'bm25') || question.length > MAX_QUESTION)
    return [];
  if (unused(before, catalog) >= MAX_UNUSED) return [];
  // What the request has already may be what is meant.
  const candidates = new Set([...eager, ...deferred].map((tool) => tool.id));
  const outcome = await deps.search.search({ query: question, strategy: 'bm25', limit: 1, candidates }, signal);
  const tool = plainlyMeant(outcome);
  if (!tool || signal.aborted || !deferred.some(({ id }) => id === tool.id) || deps.discovered.has(tool.id)) return [];
  if (deps.code && permissionOf(settings)(tool) === 'code') return [];
  const callId = `before_${before.length}`;
  deps.record({ ...searchedEntry(callId, question, outcome, { limit: 1 }, deps), before: true });
  recordDiscovered([tool], new Set(deps.discovered), deps);
  return exchange(callId, tool, outcome, deps);
}

/** The search as it stands in the conversation: of the question only the words that found the tool, since it stands there whole. */
function exchange(callId: string, tool: Tool, outcome: SearchOutcome, deps: CallDeps): readonly TranscriptItem[] {
  const words = outcome.ok ? (outcome.hits[0]?.terms ?? []) : [];
  const queries = [words.join(' ') || tool.modelName];
  const { json } = answerSearch({
    answers: [{ query: queries[0] ?? '', outcome }],
    delivery: deps.delivery,
    catalog: deps.catalog,
    totalDeferred: deps.deferred.length,
    alreadyListed: [],
    maxTools: 1,
    limit: 1,
    ...(deps.code ? { shapes: deps.code.shapes } : {}),
  });
  const remarks = `Tool Search ran this search by itself, with words of the question, before you read it. ${tool.modelName} can be called now; search for whatever else is needed.`;
  return [
    { kind: 'assistant', text: '', calls: [{ callId, name: SEARCH_TOOLS, input: { queries } }] },
    {
      kind: 'results',
      results: [
        {
          callId,
          outcome: 'ok',
          parts: [{ type: 'text', text: JSON.stringify({ ...json, message: remarks }) }],
          search: { queries, strategy: 'bm25', found: [tool.id], before: true },
          remarks,
        },
      ],
    },
  ];
}

/** How many tools were found so in this conversation and then never called, neither directly nor in a script. */
function unused(transcript: Transcript, catalog: Catalog): number {
  const calls = transcript.flatMap((item) => (item.kind === 'assistant' ? item.calls : []));
  const found = transcript.flatMap((item) =>
    item.kind === 'results' ? item.results.flatMap(({ search }) => (search?.before ? search.found : [])) : [],
  );
  return found.filter((id) => {
    const tool = catalog.byId.get(id);
    return tool && !calls.some((call) => isOf(call, tool));
  }).length;
}

function isOf({ name, input }: ToolCall, { modelName }: Tool): boolean {
  if (name !== RUN_CODE) return name === modelName;
  const { code } = asObject(input) ?? {};
  return typeof code === 'string' && code.includes(scriptName(modelName));
}
