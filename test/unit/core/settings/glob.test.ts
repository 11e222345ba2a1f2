import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileGlob, compileGlobs } from '../../../../src/core/settings/glob';
import { holds } from '../../property';

it.each([
  ['search_*', 'search_code', true],
  ['search_*', 'get_issue', false],
  ['get_issue', 'get_issue', true],
  ['{get,list}_*', 'list_issues', true],
  ['{get,{list,find}}_*', 'find_issues', true],
  ['{get,list}_*', 'delete_issue', false],
  ['*', '.hidden', true],
  ['*', 'a/b', true],
  ['github/*', 'github/search_code', true],
  ['*/delete_*', 'github/delete_repo', true],
  ['get_issue?', 'get_issues', true],
  ['get_issue?', 'get_issue', false],
  ['[gs]et', 'set', true],
  ['[!gs]et', 'set', false],
  ['[a-c]1', 'b1', true],
  ['a.b', 'axb', false],
  ['a.*', 'a.b', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a(b|c)*', 'ab', false],
  ['a(b|c)*', 'a(b|c)d', true],
  ['[', '[', true],
  ['{a', '{a', true],
  ['[z-a]*', 'z', false],
  ['', 'x', false],
])('%s on %s is %s', (glob, name, expected) => expect(compileGlob(glob)(name)).toBe(expected));

it('comes to an end with globs that make others try every way', () => {
  expect(compileGlob(`${'*a'.repeat(30)}*b`)('a'.repeat(1000))).toBe(false);
  expect(compileGlob(`${'{a,aa}'.repeat(60)}b`)('a'.repeat(1000))).toBe(false);
});

it('matches one of several, whatever the others are', () => {
  const matches = compileGlobs(['[z-a]', 'x|y?', '{get,list}_*', '[ab]?', 'whole*', 'own', '['.repeat(600)]);
  const names = ['get_x', 'a1', 'wholesale', 'own', '[z-a]', 'x|yz', '['.repeat(600)];
  expect(names.filter(matches)).toEqual(names);
  expect(['get', 'c1', 'x', 'yz', 'z', 'ow'].filter(matches)).toEqual([]);
});

it('takes any text for each star, and only that', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
  holds([text, text], { numRuns: 2_000 }, (glob, name) => {
    // The regular expression knows stars as `.*` and needs no escapes for these letters.
    const regex = new RegExp(`^${glob.replaceAll('*', '.*')}$`);
    expect(compileGlob(glob)(name)).toBe(regex.test(name));
  });
});

it('never throws, and every name matches itself', () => {
  holds([fc.string(), fc.string()], (glob, name) => {
    const matches = compileGlob(glob);
    expect(matches(glob)).toBe(true);
    expect(typeof matches(name)).toBe('boolean');
    expect(compileGlob(`${name.replace(/[*?[{\\\]}]/g, '\\$&')}*`)(`${name}tail`)).toBe(true);
  });
});
