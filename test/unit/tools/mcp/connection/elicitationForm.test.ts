import { describe, expect, it } from 'vitest';
import {
  type Field,
  fillForm,
  problemOfCount,
  problemOfNumber,
  problemOfText,
  readForm,
} from '../../../../../src/tools/mcp/connection/elicitationForm';

const field = (schema: { readonly [key: string]: unknown }, required = false): Field => {
  const form = readForm({
    message: '',
    requestedSchema: { type: 'object', properties: { a: schema }, required: required ? ['a'] : [] },
  });
  if (!form?.fields[0]) throw new Error('There is no field.');
  return form.fields[0];
};
const typed = (schema: { readonly [key: string]: unknown }, text: string, required = false) => {
  const read = field(schema, required);
  if (read.kind === 'number') return problemOfNumber(read, text);
  if (read.kind === 'text') return problemOfText(read, text);
  throw new Error(`Nothing is typed into ${read.kind}.`);
};

describe('a form', () => {
  it('has no default that is too long to show', () => {
    const lengths = [10_000, 10_001].map((length) => field({ type: 'string', default: 'x'.repeat(length) }));
    expect(lengths.map(({ fallback }) => String(fallback).length)).toEqual([10_000, 'undefined'.length]);
  });

  it('is read in every form of choices that the protocol has known', () => {
    const choices = [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'Second' },
    ];
    const titled = [
      { const: 'a', title: 'First' },
      { const: 'b', title: 'Second' },
    ];
    expect(field({ type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'], default: 'b' })).toMatchObject({
      kind: 'choice',
      choices,
      fallback: 'b',
    });
    expect(field({ type: 'string', oneOf: titled, default: 'gone' })).toMatchObject({
      kind: 'choice',
      choices,
      fallback: undefined,
    });
    expect(field({ type: 'array', items: { anyOf: titled }, minItems: 1, default: ['b', 'gone'] })).toMatchObject({
      kind: 'choices',
      choices,
      min: 1,
      fallback: ['b'],
    });
    expect(field({ type: 'array', items: { type: 'string', enum: ['a'] } })).toMatchObject({
      choices: [{ value: 'a', label: 'a' }],
    });
  });

  it('keeps filled fields, leaves out empty ones, and ends on cancel', async () => {
    const properties = {
      name: { type: 'string', default: 'Ada' },
      age: { type: 'integer', default: 30 },
      ok: { type: 'boolean' },
    };
    const form = readForm({ message: 'Who?', requestedSchema: { type: 'object', properties, required: ['name'] } });
    if (!form) throw new Error('It was not read.');
    expect(form.message).toBe('Who?');
    expect(await fillForm(form, async (each) => each.fallback)).toEqual({
      action: 'accept',
      content: { name: 'Ada', age: 30 },
    });
    expect(await fillForm(form, async (_, step) => (step === 2 ? null : undefined))).toEqual({ action: 'cancel' });
    expect(await fillForm({ message: '', fields: [] }, async () => null)).toEqual({ action: 'accept', content: {} });
  });

  it.each([
    [{ properties: { a: { type: 'object' } } }],
    [{ properties: { a: 'text' } }],
    [{ properties: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: 'string' }])) }],
    [{ properties: { a: { type: 'array', items: {} } } }],
  ])('that nobody can be asked is none: %#', (requestedSchema) => {
    expect(readForm({ message: '', requestedSchema })).toBeUndefined();
  });

  it.each([
    [{ type: 'integer' }, '7', undefined],
    [{ type: 'integer' }, '7.5', 'It must be a whole number.'],
    [{ type: 'number' }, '7,5', 'It must be a number.'],
    [{ type: 'number' }, ' ', undefined],
    [{ type: 'number', minimum: 0 }, '-1', 'It must be 0 or more.'],
    [{ type: 'number', maximum: 9 }, '10', 'It must be 9 or less.'],
    [{ type: 'string', minLength: 2 }, 'a', 'It must have 2 or more characters.'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'It must have 2 or fewer characters.'],
    [{ type: 'string', format: 'email' }, 'ada@example.com', undefined],
    [{ type: 'string', format: 'email' }, 'ada@', 'It must be an e-mail address.'],
    [{ type: 'string', format: 'uri' }, 'https://example.com', undefined],
    [{ type: 'string', format: 'uri' }, 'example', 'It must be an address, as in https://example.com.'],
    [{ type: 'string', format: 'date' }, '2026-02-28', undefined],
    [{ type: 'string', format: 'date' }, '28.2.2026', 'It must be a date, as in 2026-01-31.'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28T12:00:00Z', undefined],
    [{ type: 'string', format: 'date-time' }, '2026-02-28', 'It must be a time, as in 2026-01-31T12:00:00Z.'],
    [{ type: 'string', format: 'email' }, '', undefined],
  ])('says of %j why it can not be “%s”', (schema, text, problem) => expect(typed(schema, text)).toBe(problem));

  it('says what is missing', () => {
    expect(typed({ type: 'number' }, '', true)).toBe('A value is required.');
    expect(typed({ type: 'string', minLength: 1 }, '', true)).toBe('A value is required.');
    expect(typed({ type: 'string' }, '', true)).toBeUndefined();
    expect(problemOfCount({ min: 1, max: 2 }, 0)).toBe('Choose 1 or more.');
    expect(problemOfCount({ min: 1, max: 2 }, 3)).toBe('Choose 2 or fewer.');
    expect(problemOfCount({ min: 1, max: 2 }, 2)).toBeUndefined();
  });
});
