import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileGlob, compileGlobs } from '../../../../src/core/settings/glob';
import { holds } from '../../property';

it.each([
  ['search_*', ['search_code'], ['get_issue']],
  ['get_issue', ['get_issue'], []],
  ['{get,list}_*', ['list_issues'], ['delete_issue']],
  ['{get,{list,find}}_*', ['find_issues'], []],
  ['*', ['.hidden', 'a/b'], []],
  ['github/*', ['github/search_code'], []],
  ['*/delete_*', ['github/delete_repo'], []],
  ['get_issue?', ['get_issues'], ['get_issue']],
  ['[gs]et', ['set'], []],
  ['[!gs]et', [], ['set']],
  ['[a-c]1', ['b1'], []],
  ['a.b', [], ['axb']],
  ['a.*', ['a.b'], []],
  ['a\\*', ['a*'], ['ab']],
  ['a(b|c)*', ['a(b|c)d'], ['ab']],
  ['[', ['['], []],
  ['{a', ['{a'], []],
  ['[z-a]*', [], ['z']],
  ['', [], ['x']],
])('%s matches %j, not %j', (glob, names, others) => {
  expect([...names, ...others].filter(compileGlob(glob))).toEqual(names);
});

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
