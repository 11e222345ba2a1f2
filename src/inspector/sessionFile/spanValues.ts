// The attributes of the spans in OTLP exports.

import { SEARCH_TOOLS } from '../../core/catalog/modelNames';
import type { EventOf } from '../../core/ledger/events';
import { keptFromModel } from '../../core/usage/roundTokens';
import type { Tokens } from '../../core/usage/types';
import type { Values } from './otlp';

/** VS Code's vendors for which OpenTelemetry defines other names. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['toolsearch-anthropic', 'anthropic'],
  ['toolsearch-openai', 'openai'],
  ['copilot', 'github'],
  ['google', 'gcp.gemini'],
  ['gemini', 'gcp.gemini'],
  ['azure', 'azure.ai.openai'],
]);

export function usageValues({ tokens, outputTokens, prefix }: EventOf<'roundEnded'>): Values {
  return {
    'gen_ai.usage.input_tokens': tokens.sent.value,
    'gen_ai.usage.output_tokens': outputTokens?.value,
    'gen_ai.usage.cache_read.input_tokens': tokens.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': tokens.cacheWrite,
    ...tokenValues('prompt_and_history', tokens.promptAndHistory),
    ...tokenValues('eager', tokens.eager),
    ...tokenValues('discovered', tokens.discovered),
    ...tokenValues('search_overhead', tokens.searchOverhead),
    ...tokenValues('sent', tokens.sent),
    ...tokenValues('baseline', tokens.baseline),
    'toolsearch.tokens.net_saved': tokens.baseline.value - tokens.sent.value,
    // Costs are in units of one uncached input token.
    'toolsearch.cost.sent': tokens.cost?.sent,
    'toolsearch.cost.baseline': tokens.cost?.baseline,
    'toolsearch.cost.net_saved': tokens.cost && tokens.cost.baseline - tokens.cost.sent,
    ...(prefix ? { ...tokenValues('prefix_same', prefix.same), ...tokenValues('prefix_lost', prefix.lost) } : {}),
    'toolsearch.prefix.broken_by': prefix?.broke?.cause,
    'toolsearch.prefix.broken_by_tool': prefix?.broke?.tool,
  };
}

export function searchValues(event: EventOf<'searched'>, contents: boolean): Values {
  return {
    'gen_ai.tool.name': SEARCH_TOOLS,
    'gen_ai.tool.call.arguments': contents
      ? JSON.stringify({ queries: [event.query], server: event.server })
      : undefined,
    'gen_ai.tool.call.result': contents ? event.note : undefined,
    'toolsearch.search.strategy': event.strategy,
    'toolsearch.search.searched': event.searched,
    'toolsearch.search.matched': event.matched,
    'toolsearch.search.limit': event.limit,
    'toolsearch.search.returned': event.hits.map(({ id }) => id),
    'toolsearch.search.below_limit': event.below.map(({ id }) => id),
  };
}

export function discoveredValues({ ids, tokens }: EventOf<'discovered'>): Values {
  return { 'toolsearch.discovered.tools': ids, ...tokenValues('discovered', tokens) };
}

export function callValues(event: EventOf<'called'>, contents: boolean): Values {
  return {
    'gen_ai.tool.name': event.tool || 'unknown',
    'gen_ai.tool.call.arguments': contents ? event.args : undefined,
    'gen_ai.tool.call.result': contents ? event.summary : undefined,
    'toolsearch.call.outcome': event.outcome,
    'toolsearch.call.known': event.known,
    'toolsearch.call.without_discovery': event.withoutDiscovery,
    'toolsearch.call.retry': event.retry,
    'toolsearch.call.result_bytes': event.resultBytes,
  };
}

export function scriptValues(
  started: EventOf<'scriptStarted'>,
  ended: EventOf<'scriptEnded'> | undefined,
  contents: boolean,
): Values {
  return {
    'gen_ai.tool.call.arguments': contents ? JSON.stringify({ title: started.title, code: started.code }) : undefined,
    'gen_ai.tool.call.result': contents ? ended?.output : undefined,
    'toolsearch.script.where': started.where ?? 'sandbox',
    'toolsearch.script.calls': ended?.calls,
    'toolsearch.script.failed': ended?.failed,
    'toolsearch.script.servers': ended?.servers,
    'toolsearch.script.compute_ms': ended?.computeMs,
    ...(ended ? tokenValues('stayed', keptFromModel(ended)) : {}),
  };
}

export function modelValues({ model }: EventOf<'turnStarted'>): Values {
  return {
    'gen_ai.provider.name': PROVIDERS.get(model.vendor.toLowerCase()) ?? model.vendor.toLowerCase(),
    'gen_ai.request.model': model.id,
  };
}

export function tokenValues(name: string, tokens: Tokens): Values {
  return { [`toolsearch.tokens.${name}`]: tokens.value, [`toolsearch.certainty.${name}`]: tokens.certainty };
}

/** Returns a prompt in the form of the conventions' JSON schema for messages. */
export function messagesOf(prompt: string): string {
  return JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: prompt }] }]);
}
