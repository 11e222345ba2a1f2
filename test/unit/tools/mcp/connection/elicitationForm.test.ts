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

  it.each([
    [{ properties: { a: { type: 'object' } } }],
    [{ properties: { a: 'text' } }],
    [{ properties: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: 'string' }])) }],
    [{ properties: { a: { type: 'array', items: {} } } }],
  ])('that nobody can be asked is none: %#', (requestedSchema) => {
    expect(readForm({ message: '', requestedSchema })).toBeUndefined();
  });
});
