// The texts of suggestions.

import { splitId } from '../../core/catalog/tool';
import type { Suggestion } from '../../core/suggestions/types';
import { languageNames } from '../../core/util/languageNames';
import type { SuggestionView } from '../protocol/suggestions';
import type { Tokens } from '../protocol/view';
import { changeLabel } from '../text/changeLabel';
import type { StringKey, Text } from '../text/text';

const EVIDENCE_TOOLS = 3;

/** Returns a suggestion as text. */
export function suggestionView(suggestion: Suggestion, text: Text): SuggestionView {
  const { t, n } = text;
  const { id } = suggestion;
  const base = { id, sums: [] };
  const title = (key: StringKey, subject: string, args = {}) => ({ title: t(key, { ...args, subject }), subject });
  const perRound = t('suggest.perRound');
  switch (suggestion.kind) {
    case 'pinTool': {
      const { tool, turns, of, definition, cost, saved, net, calls } = suggestion;
      return {
        ...base,
        ...title('suggest.pinTool', tool),
        group: 'pins',
        evidence: [
          t('suggest.pinTool.why', { turns, of, definition: text.tokens(definition) }),
          calls > 0 ? n('suggest.pinTool.calls', calls) : '',
        ].join(' '),
        sums: [
          { label: t('suggest.sum.searches'), value: text.net(saved) },
          { label: t('suggest.sum.definition'), value: text.net(negative(cost)) },
          { label: t('suggest.sum.net'), value: text.net(net) },
        ],
        ...(net.value < 0 && calls > 0
          ? { benefit: n('suggest.pinTool.both', calls, { tokens: text.tokens(sumOver(of, negative(net))), of }) }
          : { saving: { tokens: net, per: t('suggest.perTurn') } }),
        action: t('suggest.do.pin'),
      };
    }
    case 'deferTool': {
      const { tool, turns, tokens } = suggestion;
      return {
        ...base,
        ...title('suggest.deferTool', tool),
        group: 'unused',
        evidence: t('suggest.deferTool.why', { turns, tokens: text.tokens(tokens) }),
        saving: { tokens, per: perRound },
        action: t('suggest.do.defer'),
      };
    }
    case 'deferServer': {
      const { server, turns, eager, tokens, added, net } = suggestion;
      return {
        ...base,
        ...title('suggest.deferServer', server),
        group: 'unused',
        evidence: t('suggest.deferServer.why', { turns, eager, tokens: text.tokens(tokens) }),
        sums:
          added.value === 0
            ? []
            : [
                { label: t('suggest.sum.definitions'), value: text.net(tokens) },
                { label: t('suggest.sum.searchTools'), value: text.net(negative(added)) },
                { label: t('suggest.sum.net'), value: text.net(net) },
              ],
        saving: { tokens: net, per: perRound },
        action: t('suggest.do.defer'),
      };
    }
    case 'idleServer': {
      const { server, turns, tools, of, hits, results } = suggestion;
      return {
        ...base,
        ...title('suggest.idleServer', server),
        group: 'idle',
        evidence: [
          n('suggest.idleServer.why', tools, { turns, of }),
          hits > 0 ? t('suggest.idleServer.hits', { hits, results }) : '',
          t('suggest.idleServer.how'),
        ].join(' '),
        benefit: t('suggest.fewerTools'),
        action: t('suggest.do.showServer'),
      };
    }
    case 'unfound': {
      const { tool, query, limit, rank, above } = suggestion;
      const args = { query, limit, above: above.slice(0, EVIDENCE_TOOLS).join(', ') };
      return {
        ...base,
        ...title('suggest.unfound', tool),
        group: 'finding',
        evidence: [
          rank === undefined ? t('suggest.unfound.never', args) : t('suggest.unfound.why', { ...args, rank }),
          above.length > 0 ? t('suggest.unfound.above', args) : '',
        ].join(' '),
        benefit: t('suggest.easier'),
        action: t('suggest.do.example'),
        look: { mode: 'tool', tool, query: '', scope: 'all' },
      };
    }
    case 'thin': {
      const { tool, words, args } = suggestion;
      return {
        ...base,
        ...title('suggest.thin', tool),
        group: 'finding',
        evidence: [
          words === 0 ? t('suggest.thin.none') : n('suggest.thin.words', words),
          args > 0 ? n('suggest.thin.args', args) : '',
          t('suggest.thin.how'),
        ].join(' '),
        benefit: t('suggest.easier'),
        action: t('suggest.do.example'),
        look: { mode: 'tool', tool, query: '', scope: 'all' },
      };
    }
    case 'twins': {
      const [a = '', b = ''] = suggestion.tools;
      const { server, name } = splitId(a) ?? { server: '', name: a };
      const { sameName } = suggestion;
      return {
        ...base,
        ...title(sameName ? 'suggest.twins.name' : 'suggest.twins', sameName ? name : `${a}, ${b}`),
        group: 'finding',
        evidence: t(sameName ? 'suggest.twins.nameWhy' : 'suggest.twins.why', {
          a: server,
          b: splitId(b)?.server ?? '',
        }),
        benefit: t('suggest.easier'),
        look: { mode: 'query', query: name.replace(/[^\p{L}\p{N}]+/gu, ' '), scope: 'all' },
      };
    }
    case 'writeWords': {
      const { tools, of, languages, input, output, requests } = suggestion;
      const sum: Tokens = { value: input.value + output.value, certainty: 'estimated' };
      return {
        ...base,
        ...title('suggest.words', t('suggest.words')),
        group: 'finding',
        evidence: t('suggest.words.why', { count: tools, of, languages: languageNames(languages, text.locale) }),
        sums: [
          { label: t('suggest.words.requests'), value: text.number(requests) },
          { label: t('suggest.words.input'), value: text.tokens(input) },
          { label: t('suggest.words.output'), value: text.tokens(output) },
          { label: t('suggest.words.once'), value: text.tokens(sum) },
        ],
        benefit: t('suggest.easier'),
        action: t('suggest.do.words'),
      };
    }
    case 'modeOff': {
      const { by, turns, losses, net } = suggestion;
      return {
        ...base,
        ...title('suggest.modeOff', 'toolsearch.mode'),
        group: 'settings',
        evidence: t(by === 'cost' ? 'suggest.modeOff.cost' : 'suggest.modeOff.why', { turns, losses }),
        saving: { tokens: negative(net), per: t(by === 'cost' ? 'suggest.fresh' : 'suggest.perTurn') },
        action: t('suggest.do.modeOff'),
      };
    }
    case 'costlyTurn': {
      const { by, turn, requests, sent, baseline, net } = suggestion;
      return {
        ...base,
        ...title('suggest.costlyTurn', String(turn)),
        group: 'settings',
        evidence: [
          requests > 0 ? n('suggest.costlyTurn.requests', requests) : t('suggest.costlyTurn.few'),
          t('suggest.costlyTurn.how'),
        ].join(' '),
        sums: [
          { label: t('suggest.sum.baseline'), value: text.net(baseline) },
          { label: t('suggest.sum.sent'), value: text.net(negative(sent)) },
          { label: t('suggest.sum.net'), value: text.net(net) },
        ],
        saving: {
          tokens: negative(net),
          per: t(by === 'cost' ? 'suggest.costlyTurn.fresh' : 'suggest.costlyTurn.per'),
        },
      };
    }
    case 'bridge': {
      const { turns, broken, lost } = suggestion;
      return {
        ...base,
        ...title('suggest.bridge', 'toolsearch.delivery'),
        group: 'settings',
        evidence: t('suggest.bridge.why', { turns, broken }),
        saving: { tokens: lost, per: t('suggest.perTurn') },
        action: t('suggest.do.bridge'),
      };
    }
    case 'whatIf': {
      const { change, by, turns, requests, before, after, net } = suggestion;
      return {
        ...base,
        ...title('suggest.whatIf', changeLabel(change, text)),
        group: 'settings',
        evidence: t('suggest.whatIf.why', { turns, ...requests }),
        sums: [
          { label: t('whatIf.today'), value: text.net(before) },
          { label: changeLabel(change, text), value: text.net(negative(after)) },
          { label: t('suggest.sum.net'), value: text.net(net) },
        ],
        saving: { tokens: net, per: t(by === 'cost' ? 'suggest.whatIf.fresh' : 'suggest.whatIf.per', { turns }) },
        action: t('whatIf.apply'),
      };
    }
    case 'moreResults': {
      const { turns, of, from, to } = suggestion;
      return {
        ...base,
        ...title('suggest.moreResults', 'toolsearch.maxResults', { to }),
        group: 'settings',
        evidence: t('suggest.moreResults.why', { turns, of, from, to }),
        benefit: t('suggest.fewerSearches'),
        action: t('suggest.do.moreResults', { to }),
      };
    }
  }
}

/** Returns a sentence for an applied suggestion, in the past tense. */
export function doneText(suggestion: Suggestion, text: Text): string {
  switch (suggestion.kind) {
    case 'pinTool':
      return text.t('suggest.done.pin', { subject: suggestion.tool });
    case 'deferTool':
      return text.t('suggest.done.defer', { subject: suggestion.tool });
    case 'deferServer':
      return text.t('suggest.done.defer', { subject: suggestion.server });
    case 'unfound':
    case 'thin':
      return text.t('suggest.done.example', { subject: suggestion.tool });
    case 'twins':
    case 'idleServer':
    case 'costlyTurn':
    case 'writeWords':
      return '';
    case 'modeOff':
      return text.t('suggest.done.modeOff');
    case 'bridge':
      return text.t('suggest.done.bridge');
    case 'whatIf':
      return text.t('suggest.done.whatIf', { subject: changeLabel(suggestion.change, text) });
    case 'moreResults':
      return text.t('suggest.done.moreResults', { to: suggestion.to });
  }
}

function sumOver(turns: number, { value, certainty }: Tokens): Tokens {
  return { value: value * turns, certainty };
}

function negative(tokens: Tokens): Tokens {
  return { ...tokens, value: -tokens.value };
}
