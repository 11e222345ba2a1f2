import { describe, expect, it } from 'vitest';
import { fitArguments, unknownArguments } from '../../../../src/core/turn/fitArguments';
import { schema } from './world';

const NUMBER = { type: 'number' };
const LIST = { type: 'array', items: { type: 'string' } };

it.each([
  ['a number as text', NUMBER, '4711', 4711],
  ['a whole number as text', { type: 'integer' }, '12', 12],
  ['a number or nothing', { anyOf: [NUMBER, { type: 'null' }] }, '4711', 4711],
  ['a truth as text', { type: 'boolean' }, 'true', true],
  ['a truth as text of Python', { type: 'boolean' }, 'True', true],
  ['a list as text', LIST, '["a", "b"]', ['a', 'b']],
  ['an object as text', { type: 'object' }, '{"a": 1}', { a: 1 }],
  ['a text as number', { type: 'string' }, 4711, '4711'],
  ['a number inside an object', { type: 'object', properties: { b: NUMBER } }, { b: '5' }, { b: 5 }],
  ['a number of a list', { type: 'array', items: NUMBER }, ['5', 6], [5, 6]],
  ['an object for a list of such', { type: 'array', items: schema({ b: NUMBER }) }, { b: '5' }, [{ b: 5 }]],
  ['a choice in another spelling', { enum: ['in_progress', 'done'] }, 'In Progress', 'in_progress'],
  ['a German date', { type: 'string', description: 'Format: YYYY-MM-DD' }, '3.12.2026', '2026-12-03'],
  ['a list of choices', { type: 'array', items: { enum: ['open'] } }, ['OPEN'], ['open']],
])('%s is converted', (_, of, given, meant) => {
  expect(fitArguments({ a: given }, { properties: { a: of } })).toEqual({ a: meant });
});

it.each([
  ['a number that is none', NUMBER, 'many'],
  ['a date with a month too high', { type: 'string', format: 'date' }, '3.13.2026'],
  ['a date of which nobody says the form', { type: 'string' }, '3.12.2026'],
  ['a fraction for a whole number', { type: 'integer' }, '1.5'],
  ['a text that looks like a number', { type: ['string', 'number'] }, '4711'],
  ['what a schema leaves open', { anyOf: [NUMBER, { $ref: '#/x' }] }, '4711'],
  ['what no type says', { description: 'any' }, '4711'],
  ['a word for a list', LIST, 'a'],
  ['a spelling that two choices share', { enum: ['a-b', 'a_b'] }, 'a b'],
  ['a choice of no letters', { enum: ['>', 'or'] }, '<'],
  ['an object for a number', NUMBER, {}],
  ['a list of one for a number', NUMBER, [5]],
  ['an object for a list of texts', LIST, { a: 1 }],
  ['an object for a list of others', { type: 'array', items: schema({ b: {} }) }, { a: 1 }],
  ['an object for an object or a list', { type: ['array', 'object'], items: schema({ a: {} }) }, { a: 1 }],
])('%s stays as it is', (_, of, given) => {
  const input = { a: given };
  expect(fitArguments(input, { properties: { a: of } })).toBe(input);
});

it('null is left out, unless it is required or allowed', () => {
  const properties = { a: NUMBER, b: NUMBER, c: { type: ['number', 'null'] }, d: {}, e: { ...NUMBER, nullable: true } };
  const given = { a: null, b: null, c: null, d: null, e: null };
  expect(fitArguments(given, { properties, required: ['b'] })).toEqual({ b: null, c: null, d: null, e: null });
});

const object = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});
const MAIL = { ...schema({ id: {}, body: object('subject', 'to') }, ['body']), additionalProperties: true };

const SEARCH = { ...schema({ query: {} }), additionalProperties: true };

it.each(['', 'null', 'undefined', 'None'])('%j is left out if it is no choice and no number', (nothing) => {
  const properties = { a: NUMBER, b: { enum: ['x'], type: 'string' }, c: { type: 'string' }, d: { enum: [nothing] } };
  const given = { a: nothing, b: nothing, c: nothing, d: nothing };
  expect(fitArguments(given, { properties })).toEqual({ c: nothing, d: nothing });
  expect(fitArguments({ a: nothing }, { properties, required: ['a'] })).toEqual({ a: nothing });
});

it('a choice that is spelled like nothing stays', () => {
  expect(fitArguments({ a: 'None' }, schema({ a: { type: 'string', enum: ['none'] } }))).toEqual({ a: 'none' });
});

it.each([
  [{ subject: 'Hi' }, { body: { subject: 'Hi' } }],
  [
    { id: 1, subject: 'Hi', to: 'x' },
    { id: 1, body: { subject: 'Hi', to: 'x' } },
  ],
  [{ body: { subject: 'Hi' }, to: 'x' }, { body: { subject: 'Hi', to: 'x' } }],
  [{ body: '{"subject":"Hi"}', to: 'x' }, { body: { subject: 'Hi', to: 'x' } }],
])('an argument one level up %j is moved into its object', (given, placed) =>
  expect(fitArguments(given, MAIL)).toEqual(placed),
);

it.each([
  ['nothing has it', { cc: 'x' }, MAIL],
  ['its object has it already', { body: { to: 'y' }, to: 'x' }, MAIL],
  ['its object is none', { body: 'text', to: 'x' }, MAIL],
  ['two objects have it', { to: 'x' }, schema({ a: object('to'), b: object('to') })],
  ['the tool itself has it', { to: 'x' }, schema({ to: {}, b: object('to') })],
  ['its object is in a list', { to: 'x' }, schema({ a: { type: 'array', items: object('to') } })],
  ['its object is deeper', { to: 'x' }, schema({ a: { type: 'object', properties: { b: object('to') } } })],
  ['the schema has alternatives', { to: 'x' }, { ...schema({ a: object('to') }), anyOf: [object('to')] }],
])('an argument one level up stays if %s', (_, given, of) => expect(fitArguments(given, of)).toBe(given));

describe('an argument in another spelling', () => {
  it.each([
    ['of the tool', { issueNumber: 5 }, schema({ issue_number: NUMBER }), { issue_number: 5 }],
    ['of an open tool', { $top: 5 }, { ...schema({ top: NUMBER }), additionalProperties: true }, { top: 5 }],
    ['inside an object', { id: 1, body: { Subject: 'Hi' } }, MAIL, { id: 1, body: { subject: 'Hi' } }],
  ])('%s is spelled as the schema does', (_, given, of, spelled) => expect(fitArguments(given, of)).toEqual(spelled));

  const env = { type: 'object', properties: { path: {} }, additionalProperties: { type: 'string' } };
  it.each([
    ['it is given already', { ID: 1, id: 2 }, schema({ id: {} })],
    ['two are spelled like it', { ID: 1 }, schema({ id: {}, i_d: {} })],
    ['its object takes any others', { env: { PATH: 'x' } }, schema({ env })],
  ])('stays if %s', (_, given, of) => expect(fitArguments(given, of)).toBe(given));
});

const unknownIn = (given: object, of: object) =>
  unknownArguments({ ...given }, { ...of }).map(({ path, names }) => [path, ...[...names].flat()].join(' ').trim());

it.each([
  ['says nothing of others', {}, ['x']],
  ['allows no others', { additionalProperties: false }, ['x']],
  ['allows others', { additionalProperties: {} }, []],
  ['allows others of a pattern', { patternProperties: { x: {} } }, []],
  ['has others in its parts', { allOf: [object('x')] }, []],
  ['names none', { properties: {} }, []],
])('an argument is unknown to a schema that %s: %j', (_, more, names) => {
  expect(unknownIn({ a: 1, x: 2 }, { ...schema({ a: {} }), ...more })).toEqual(names);
});

it.each([
  ['fields of an object', { body: { title: 'x', to: 'y' } }, MAIL, ['body title']],
  ['fields of objects in a list', { a: [{ to: 1 }, { x: 1 }] }, schema({ a: { items: object('to') } }), ['a.1 x']],
  ['only near ones if others are allowed', { querry: 1, x: 2 }, SEARCH, ['querry did you mean query?']],
  ['the same in an object', { in: { qurey: 1, x: 2 } }, schema({ in: SEARCH }), ['in qurey did you mean query?']],
  ['none whose near one is given', { querry: 1, query: 2 }, SEARCH, []],
  ['no short ones as near', { tp: 1 }, { ...schema({ top: {} }), additionalProperties: true }, []],
  ['those of an object', { body: {}, to: 1 }, schema({ body: { items: object('to') } }), ['to put it inside body[0]']],
  ['those that belong deeper', { to: 1 }, schema({ a: schema({ b: object('to') }) }), ['to put it inside a.b']],
])('unknown arguments are %s', (_, given, of, unknown) => expect(unknownIn(given, of)).toEqual(unknown));

it.each([
  ['a reference', { $ref: '#/$defs/Mail' }],
  ['a reference or nothing', { anyOf: [{ $ref: '#/$defs/Mail' }, { type: 'null' }] }],
])('an object may be %s', (_, body) => {
  const $defs = { Mail: { ...object('subject'), properties: { subject: {}, size: NUMBER } } };
  const of = { ...schema({ body }), $defs };
  expect(fitArguments({ subject: 'Hi', body: '{"Size":"5"}' }, of)).toEqual({ body: { subject: 'Hi', size: 5 } });
  expect(unknownIn({ body: { title: 'Hi' } }, of)).toEqual(['body title']);
});

it('a schema of many objects is searched once, not for each argument', () => {
  let read = 0;
  const inner = Object.defineProperty({}, 'properties', { get: () => Object(read++) });
  const names = Array.from({ length: 1_000 }, (_, at) => `name${at}`);
  const of = { properties: Object.fromEntries(names.map((name) => [name, inner])) };
  fitArguments(Object.fromEntries(names.map((name) => [`no_${name}`, 1])), of);
  expect(read).toBeLessThan(2_000);
});
