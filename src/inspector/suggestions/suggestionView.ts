import type { Suggestion } from '../../core/suggestions/types';
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
    case 'deferTool':
    case 'deferServer': {
      const { turns, tokens, added, net } = suggestion;
      const subject = suggestion.kind === 'deferTool' ? suggestion.tool : suggestion.server;
      const figures = { turns, tokens: text.tokens(tokens) };
      const sums = [
        { label: t('suggest.sum.definitions'), tokens: tokens.value },
        { label: t('suggest.sum.searchTools'), tokens: -added.value },
        { label: t('suggest.sum.net'), tokens: net.value },
      ];
      return {
        id,
        title: t('suggest.defer', { subject }),
        subject,
        group: 'unused',
        evidence:
          suggestion.kind === 'deferTool'
            ? t('suggest.deferTool.why', figures)
            : t('suggest.deferServer.why', { ...figures, eager: suggestion.eager }),
        sums: added.value === 0 ? [] : sums,
        saving: { tokens: net, per: 'suggest.perRound' },
        action: t('suggest.do.defer'),
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
