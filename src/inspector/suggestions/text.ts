// The texts of suggestions.

import type { DeferFigures, Suggestion } from '../../core/suggestions/types';
import type { SuggestionView } from '../protocol/suggestions';
import type { Text } from '../text/text';

export function suggestionView(suggestion: Suggestion, text: Text): SuggestionView {
  const { t, n } = text;
  const { id } = suggestion;
  switch (suggestion.kind) {
    case 'pinTool': {
      const { tool, turns, of, definition, cost, saved, net, calls } = suggestion;
      return {
        id,
        title: t('suggest.pinTool', { subject: tool }),
        subject: tool,
        group: 'pins',
        evidence: [
          t('suggest.pinTool.why', { turns, of, definition: text.tokens(definition) }),
          calls > 0 ? n('suggest.pinTool.calls', calls) : '',
        ].join(' '),
        sums: [
          { label: t('suggest.sum.searches'), tokens: saved.value },
          { label: t('suggest.sum.definition'), tokens: -cost.value },
          { label: t('suggest.sum.net'), tokens: net.value },
        ],
        saving: { tokens: net, per: 'suggest.perTurn' },
        action: t('suggest.do.pin'),
      };
    }
    case 'deferTool': {
      const { tool, turns, tokens } = suggestion;
      return {
        id,
        title: t('suggest.defer', { subject: tool }),
        subject: tool,
        evidence: t('suggest.deferTool.why', { turns, tokens: text.tokens(tokens) }),
        ...deferView(suggestion, text),
      };
    }
    case 'deferServer': {
      const { server, turns, eager, tokens } = suggestion;
      return {
        id,
        title: t('suggest.defer', { subject: server }),
        subject: server,
        evidence: t('suggest.deferServer.why', { turns, eager, tokens: text.tokens(tokens) }),
        ...deferView(suggestion, text),
      };
    }
    case 'hideServer': {
      const { server, turns, tools, of, hits, results } = suggestion;
      return {
        id,
        title: t('suggest.hideServer', { subject: server }),
        subject: server,
        group: 'idle',
        evidence: [
          n('suggest.hideServer.why', tools, { turns, of }),
          hits > 0 ? t('suggest.hideServer.hits', { hits, results }) : '',
        ].join(' '),
        sums: [],
        benefit: t('suggest.fewerTools'),
        action: t('suggest.do.hide'),
      };
    }
  }
}

function deferView({ tokens, added, net }: DeferFigures, { t }: Text) {
  const sums = [
    { label: t('suggest.sum.definitions'), tokens: tokens.value },
    { label: t('suggest.sum.searchTools'), tokens: -added.value },
    { label: t('suggest.sum.net'), tokens: net.value },
  ];
  return {
    group: 'unused' as const,
    sums: added.value === 0 ? [] : sums,
    saving: { tokens: net, per: 'suggest.perRound' as const },
    action: t('suggest.do.defer'),
  };
}

/** Returns a sentence for an applied suggestion, in the past tense. */
export function doneText(suggestion: Suggestion, { t }: Text): string {
  switch (suggestion.kind) {
    case 'pinTool':
      return t('suggest.done.pin', { subject: suggestion.tool });
    case 'deferTool':
      return t('suggest.done.defer', { subject: suggestion.tool });
    case 'deferServer':
      return t('suggest.done.defer', { subject: suggestion.server });
    case 'hideServer':
      return t('suggest.done.hide', { subject: suggestion.server });
  }
}
