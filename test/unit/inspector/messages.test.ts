import { describe, expect, it } from 'vitest';
import { parseToHost } from '../../../src/inspector/messages';

describe('messages from the webview', () => {
  it('pass where they are what the protocol says', () => {
    const pin = { type: 'pin', target: { kind: 'server', id: 'forge' }, pin: 'eager' };
    expect(parseToHost(pin)).toEqual(pin);
    expect(parseToHost({ type: 'ready', more: 1 })).toEqual({ type: 'ready' });
    expect(parseToHost({ type: 'run', command: 'showLog' })).toEqual({ type: 'run', command: 'showLog' });
    expect(parseToHost({ type: 'getTool', id: 'a/b' })).toEqual({ type: 'getTool', id: 'a/b' });
  });

  it.each([
    undefined,
    null,
    'ready',
    {},
    { type: 'run', command: 'workbench.action.quit' },
    { type: 'run', command: 'toString' },
    { type: 'pin', target: { kind: 'workspace', id: 'a' }, pin: 'eager' },
    { type: 'pin', target: { kind: 'tool', id: 1 }, pin: 'eager' },
    { type: 'pin', target: { kind: 'tool', id: 'a' }, pin: 'never' },
    { type: 'getTool' },
    { type: 'copy', text: { toString: 1 } },
  ])('are dropped where they aren’t: %j', (message) => {
    expect(parseToHost(message)).toBeUndefined();
  });
});
