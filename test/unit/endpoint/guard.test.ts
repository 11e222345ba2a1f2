import { once } from 'node:events';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Connections, refusalOf } from '../../../src/endpoint/guard';

const good = { host: '127.0.0.1:4321', authorization: 'Bearer right' };
const ask = (headers: { readonly [name: string]: string | undefined }, url = '/mcp') =>
  refusalOf({ method: 'POST', url, headers: { ...good, ...headers } }, 'right')?.status;

describe('a request to the endpoint', () => {
  it('is let in with its token', () => {
    expect(ask({})).toBeUndefined();
    expect(ask({ host: 'LocalHost:4321' }, '/mcp?x=1')).toBeUndefined();
    expect(ask({ origin: 'http://localhost:4321' })).toBeUndefined();
  });

  it('may write the scheme of its token in any case', () => {
    expect(ask({ authorization: 'bearer right' })).toBeUndefined();
    expect(ask({ authorization: 'BEARER right' })).toBeUndefined();
    expect(ask({ authorization: 'BEARER Right' })).toBe(401);
  });

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:4321',
    '127.0.0.1.evil.example:4321',
    'localhost.evil.example:4321',
    'localhost:4321@evil.example',
    '0.0.0.0:4321',
    'not a host',
  ])('is refused under host %s, which a page could have sent', (host) => expect(ask({ host })).toBe(403));

  it.each(['https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'vscode-webview://x'])(
    'is refused to a page of the origin %j',
    (origin) => expect(ask({ origin })).toBe(403),
  );

  it.each([
    undefined,
    '',
    'right',
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    'Bearer rightt',
    'Basic right',
    'Bearer right, Bearer x',
  ])('is refused with the authorization %j', (authorization) => {
    expect(ask({ authorization })).toBe(401);
    expect(ask({ authorization, origin: 'http://127.0.0.1:4321' })).toBe(401);
  });

  it('is refused elsewhere', () => {
    expect(ask({}, '/')).toBe(404);
    expect(ask({}, '/mcp/x')).toBe(404);
  });
});

describe('connections without the token', () => {
  const opened = (connections: Connections, count: number) => {
    const sockets = Array.from({ length: count }, () => new Socket());
    for (const socket of sockets) connections.add(socket);
    return sockets;
  };
  const closed = (sockets: readonly Socket[]) => sockets.flatMap(({ destroyed }, index) => (destroyed ? [index] : []));

  it('are closed from the oldest on if they are more than twenty', () => {
    expect(closed(opened(new Connections(), 20))).toEqual([]);
    const [first, second] = opened(new Connections(), 21);
    expect([first?.destroyed, second?.destroyed]).toEqual([true, false]);
  });

  it('close none that has sent it', () => {
    const connections = new Connections();
    const [client] = opened(connections, 1);
    expect(client && connections.admit(client)).toBe(true);
    opened(connections, 30);
    expect(client?.destroyed).toBe(false);
  });

  it('are let in up to a hundred, and each again', () => {
    const connections = new Connections();
    const sockets = Array.from({ length: 101 }, () => new Socket());
    expect(sockets.map((socket) => connections.admit(socket)).lastIndexOf(true)).toBe(99);
    expect(sockets[0] && connections.admit(sockets[0])).toBe(true);
  });

  it('make room when they close', async () => {
    const connections = new Connections();
    const sockets = Array.from({ length: 100 }, () => new Socket());
    for (const socket of sockets) {
      connections.add(socket);
      connections.admit(socket);
    }
    expect(connections.admit(new Socket())).toBe(false);
    const [first] = sockets;
    if (first) await once(first.destroy(), 'close');
    expect(connections.admit(new Socket())).toBe(true);
  });
});
