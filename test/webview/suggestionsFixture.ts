import type { Suggestion } from '../../src/core/suggestions/types';
import type { SuggestionsView } from '../../src/inspector/protocol/suggestions';
import { suggestionView } from '../../src/inspector/suggestions/suggestionView';
import { spoken } from '../data/viewInputs';

const tokens = (value: number) => ({ value, certainty: 'estimated' as const });

/** One suggestion of each kind. */
const SUGGESTIONS: readonly Suggestion[] = [
  {
    id: 'pin forge/list_pipeline_job',
    kind: 'pinTool',
    tool: 'forge/list_pipeline_job',
    turns: 7,
    of: 12,
    definition: tokens(336),
    cost: tokens(412),
    saved: tokens(1_526),
    net: tokens(1_114),
    calls: 5,
  },
  {
    id: 'server weather',
    kind: 'deferServer',
    server: 'weather',
    turns: 12,
    eager: 6,
    tokens: tokens(2_140),
    added: tokens(612),
    net: tokens(1_528),
  },
  {
    id: 'defer atlas/get_place',
    kind: 'deferTool',
    tool: 'atlas/get_place',
    turns: 9,
    tokens: tokens(273),
    added: tokens(0),
    net: tokens(273),
  },
  { id: 'hide archive', kind: 'hideServer', server: 'archive', turns: 20, tools: 14, of: 117, hits: 6, results: 85 },
];

export function fixtureSuggestions(change: Partial<SuggestionsView> = {}): SuggestionsView {
  return {
    items: SUGGESTIONS.map((suggestion) => suggestionView(suggestion, spoken())),
    more: 3,
    done: [{ id: '1 pin forge/get_issue', text: 'forge/get_issue is pinned eager.' }],
    dismissed: 1,
    ...change,
  };
}
