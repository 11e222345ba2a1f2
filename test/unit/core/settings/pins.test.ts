import { describe, expect, it } from 'vitest';
import { NO_PINS, parsePins, pinOf, withPin } from '../../../../src/core/settings/pins';

describe('withPin', () => {
  it('sets and removes a pin on a tool and on a server', () => {
    const one = withPin(NO_PINS, { kind: 'tool', id: 'a/b' }, 'eager');
    const pinned = withPin(one, { kind: 'server', id: 'a' }, 'deferred');
    expect(pinned).toEqual({ tools: { 'a/b': 'eager' }, servers: { a: 'deferred' } });
    expect(withPin(pinned, { kind: 'tool', id: 'a/b' }, 'auto')).toEqual({ tools: {}, servers: { a: 'deferred' } });
  });

  it('changes no pins that it was given', () => {
    withPin(NO_PINS, { kind: 'tool', id: 'a/b' }, 'eager');
    expect(NO_PINS).toEqual({ tools: {}, servers: {} });
  });
});

it('pinOf is the pin on the tool or the server itself', () => {
  const pins = { tools: { 'a/b': 'deferred' }, servers: { a: 'eager' } } as const;
  expect(pinOf(pins, { kind: 'tool', id: 'a/b' })).toBe('deferred');
  expect(pinOf(pins, { kind: 'tool', id: 'a/c' })).toBe('auto');
  expect(pinOf(pins, { kind: 'server', id: 'a' })).toBe('eager');
});

describe('parsePins', () => {
  it('reads what was kept', () => {
    const pins = { tools: { 'a/b': 'eager' }, servers: {} };
    expect(parsePins(JSON.parse(JSON.stringify(pins)))).toEqual(pins);
  });

  it('keeps the others if one is invalid', () => {
    const kept = { tools: { a: 'often', b: 'off', c: 'auto' }, servers: { s: 'eager', t: 1 }, set: 'Read', later: 1 };
    expect(parsePins(kept)).toEqual({ tools: { b: 'off' }, servers: { s: 'eager' }, set: 'Read' });
  });

  it.each([undefined, null, 'x', {}, { tools: { a: 'often' }, servers: {} }])('takes %j for no pins', (kept) => {
    expect(parsePins(kept)).toEqual(NO_PINS);
  });
});
