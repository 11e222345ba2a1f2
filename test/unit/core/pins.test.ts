import { describe, expect, it } from 'vitest';
import { parsePins, pinOf, withPin } from '../../../src/core/pins';
import { NO_PINS } from '../../../src/core/settings';

const servers = ['github', 'files'];

describe('withPin', () => {
  it('sets and takes away a pin on a tool and on a server', () => {
    const pinned = withPin(
      withPin(NO_PINS, { kind: 'tool', id: 'a/b' }, 'eager', servers),
      { kind: 'server', id: 'a' },
      'deferred',
      servers,
    );
    expect(pinned).toEqual({ tools: { 'a/b': 'eager' }, servers: { a: 'deferred' } });
    expect(withPin(pinned, { kind: 'tool', id: 'a/b' }, 'auto', servers)).toEqual({ tools: {}, servers: { a: 'deferred' } });
  });

  it('changes no pins that it was given', () => {
    withPin(NO_PINS, { kind: 'tool', id: 'a/b' }, 'eager', servers);
    expect(NO_PINS).toEqual({ tools: {}, servers: {} });
  });

  it('on everything goes to every server, over single tools', () => {
    const pins = { tools: { 'github/x': 'deferred' }, servers: {} } as const;
    expect(withPin(pins, { kind: 'all', id: '' }, 'eager', servers)).toEqual({ tools: {}, servers: { github: 'eager', files: 'eager' } });
    expect(withPin(pins, { kind: 'all', id: '' }, 'auto', servers)).toEqual(NO_PINS);
  });
});

describe('pinOf', () => {
  it('is the pin on the tool or the server itself', () => {
    const pins = { tools: { 'a/b': 'deferred' }, servers: { a: 'eager' } } as const;
    const targets = [
      { kind: 'tool', id: 'a/b' },
      { kind: 'tool', id: 'a/c' },
      { kind: 'server', id: 'a' },
      { kind: 'all', id: '' },
    ] as const;
    expect(targets.map((target) => pinOf(pins, target))).toEqual(['deferred', 'auto', 'eager', 'auto']);
  });
});

describe('parsePins', () => {
  it('reads what was kept', () => {
    const pins = { tools: { 'a/b': 'eager' }, servers: {} };
    expect(parsePins(JSON.parse(JSON.stringify(pins)))).toEqual(pins);
  });

  it.each([undefined, null, 'x', {}, { tools: { a: 'often' }, servers: {} }])('takes %j for no pins', (kept) => {
    expect(parsePins(kept)).toEqual(NO_PINS);
  });
});
