import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMessage, type MessageArgs } from '../../../../src/core/util/formatMessage';
import { holds } from '../../property';

const inLanguage = (language: string) => (message: string, args: MessageArgs) =>
  formatMessage(message, args, {
    plural: new Intl.PluralRules(language),
    number: (value) => value.toLocaleString(language),
  });
const english = inLanguage('en');

describe('a message', () => {
  it('takes the form that each number has in its language', () => {
    const polish = '{n, plural, one {# narzędzie} few {# narzędzia} many {# narzędzi} other {# narzędzia}}';
    expect([1, 2, 5, 22, 0].map((n) => inLanguage('pl')(polish, { n }))).toEqual([
      '1 narzędzie',
      '2 narzędzia',
      '5 narzędzi',
      '22 narzędzia',
      '0 narzędzi',
    ]);
    expect(inLanguage('zh-cn')('{0, plural, other {# 个工具}}', { 0: 1 })).toBe('1 个工具');
    expect(english('{0, plural, one {# tool} other {# tools}} of {1}', { 0: 1200, 1: 'forge' })).toBe(
      '1,200 tools of forge',
    );
    expect(english('{n, plural, =0 {none} one {one of {all}} other {# of {all}}}', { n: 0, all: 3 })).toBe('none');
    expect(english('{n, plural, =0 {none} one {one of {all}} other {# of {all}}}', { n: 2, all: 3 })).toBe('2 of 3');
  });

  it('leaves alone what nothing fills, and what isn’t closed', () => {
    expect(english('{who} of {all', { n: 1 })).toBe('{who} of {all');
    expect(english('} { {n}', { n: 1 })).toBe('} { {n}');
    expect(english('{toString}', {})).toBe('{toString}');
  });

  it('never fills what came from outside', () => {
    holds([fc.string()], (name) => {
      expect(english('a {name} b', { name, n: 1 })).toBe(`a ${name} b`);
      expect(english('{n, plural, one {# {name}} other {#s {name}}}', { name, n: 2 })).toBe(`2s ${name}`);
    });
  });
});
