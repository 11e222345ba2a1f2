import { describe, expect, it } from 'vitest';
import { parseRequest } from '../../../../src/inspector/protocol/requests';
import { readRoute } from '../../../../src/inspector/protocol/route';

const parseToHost = (message: unknown) => parseRequest({ request: 1, message })?.message;

describe('messages from the webview', () => {
  it('pass if they are what the protocol says', () => {
    const pin = { type: 'pin', target: { kind: 'server', id: 'forge' }, pin: 'eager' };
    expect(parseToHost(pin)).toEqual(pin);
    expect(parseToHost({ type: 'ready', more: 1 })).toEqual({ type: 'ready' });
    expect(parseToHost({ type: 'run', command: 'showLog' })).toEqual({ type: 'run', command: 'showLog' });
    expect(parseToHost({ type: 'run', command: 'startServers' })).toEqual({ type: 'run', command: 'startServers' });
    const accept = { type: 'run', command: 'acceptChanged', server: 'forge' };
    expect(parseToHost(accept)).toEqual(accept);
    expect(parseToHost({ ...accept, tool: 'forge/merge' })).toEqual({ ...accept, tool: 'forge/merge' });
    const start = { type: 'run', command: 'startServers', server: 'forge' };
    expect(parseToHost(start)).toEqual(start);
    expect(parseToHost({ type: 'getTool', id: 'a/b' })).toEqual({ type: 'getTool', id: 'a/b' });
    const undo = { type: 'suggest', act: 'undo', id: '1 a' };
    expect(parseToHost(undo)).toEqual(undo);
    const question = { mode: 'tool', query: '', tool: 'a/b', scope: 'deferred' };
    expect(parseToHost({ type: 'play', question })).toEqual({ type: 'play', question });
  });

  it('bear the number that their answer repeats, or are dropped', () => {
    const message = { type: 'ready' };
    expect(parseRequest({ request: 7, message })).toEqual({ request: 7, message });
    expect(parseRequest({ message })).toBeUndefined();
    expect(parseRequest({ type: 'ready' })).toBeUndefined();
    expect(parseRequest(undefined)).toBeUndefined();
  });

  it('that ask for a file or a timeline pass, without extra fields', () => {
    for (const message of [
      { type: 'watch', turn: 3 },
      { type: 'watch', turn: null },
      { type: 'run', command: 'exportSession' },
    ]) {
      expect(parseToHost({ ...message, path: '/etc' })).toEqual(message);
    }
  });

  it.each<unknown>([
    undefined,
    null,
    'ready',
    {},
    { type: 'run', command: 'workbench.action.quit' },
    { type: 'run', command: 'toString' },
    { type: 'run', command: 'startServers', server: ['forge'] },
    { type: 'run', command: 'showLog', server: 'forge' },
    { type: 'run', command: 'startServers', server: 'forge', tool: 'forge/merge' },
    { type: 'run', command: 'acceptChanged', tool: 'forge/merge' },
    { type: 'run', command: 'acceptChanged', server: 'forge', tool: 7 },
    { type: 'pin', target: { kind: 'workspace', id: 'a' }, pin: 'eager' },
    { type: 'pin', target: { kind: 'tool', id: 1 }, pin: 'eager' },
    { type: 'pin', target: { kind: 'tool', id: 'a' }, pin: 'never' },
    { type: 'pin', target: { kind: 'all', id: '' }, pin: 'off' },
    { type: 'getTool' },
    { type: 'watch', turn: '1' },
    { type: 'watch', turn: 1.5 },
    { type: 'copy', text: { toString: 1 } },
    { type: 'suggest', act: 'format', id: 'a' },
    { type: 'suggest', act: 'apply' },
    { type: 'play' },
    { type: 'play', question: { mode: 'query', query: 'a', scope: 'none' } },
    { type: 'play', question: { mode: 'tool', query: 'a', scope: 'all' } },
    { type: 'play', question: { mode: 'query', query: 'a'.repeat(2001), scope: 'all' } },
  ])('are dropped where they aren’t: %j', (message) => expect(parseToHost(message)).toBeUndefined());
});

it('a place of the inspector is read from a command’s arguments', () => {
  const playground = { section: 'playground', query: 'a fax' };
  expect(readRoute({ ...playground, more: 1 })).toEqual(playground);
  expect(readRoute({ section: 'tools', filter: 'is:eager' })).toEqual({ section: 'tools', filter: 'is:eager' });
  for (const bad of [
    undefined,
    null,
    'tools',
    [],
    { section: 'playground', query: 1 },
    { section: 'tools' },
    { section: 'turns', query: '' },
  ])
    expect(readRoute(bad)).toBeUndefined();
});
