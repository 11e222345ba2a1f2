import { describe, expect, it } from 'vitest';
import { type Field, readForm } from '../../../../../src/tools/mcp/connection/elicitationForm';

const field = (schema: { readonly [key: string]: unknown }): Field => {
  const form = readForm({ message: '', requestedSchema: { type: 'object', properties: { a: schema } } });
  if (!form?.fields[0]) throw new Error('There is no field.');
  return form.fields[0];
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

  it.each([
    [{ properties: { a: { type: 'object' } } }],
    [{ properties: { a: 'text' } }],
    [{ properties: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: 'string' }])) }],
    [{ properties: { a: { type: 'array', items: {} } } }],
  ])('that nobody can be asked is none: %#', (requestedSchema) => {
    expect(readForm({ message: '', requestedSchema })).toBeUndefined();
  });
});
