import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../src/endpoint/guard';

const door = { port: 4321, token: 'right' };
const good = { host: '127.0.0.1:4321', authorization: 'Bearer right' };
const ask = (headers: { readonly [name: string]: string | undefined }, method = 'POST', url = '/mcp') =>
  refusalOf({ method, url, headers: { ...good, ...headers } }, door)?.status;

describe('a request to the endpoint', () => {
  it.each(['POST', 'GET', 'DELETE'])('is let in with its token: %s', (method) => {
    expect(ask({}, method)).toBeUndefined();
    expect(ask({ host: 'LocalHost:4321' }, method, '/mcp?x=1')).toBeUndefined();
  });

  it('may write the scheme of its token in any case', () => {
    expect(ask({ authorization: 'bearer right' })).toBeUndefined();
    expect(ask({ authorization: 'BEARER Right' })).toBe(401);
  });

  it.each([
    undefined,
    '127.0.0.1',
    '127.0.0.1:80',
    'evil.example:4321',
    '127.0.0.1.evil.example:4321',
    '[::1]:4321',
    '0.0.0.0:4321',
  ])('is refused under host %s, which a page could have sent', (host) => expect(ask({ host })).toBe(403));

  it.each(['https://evil.example', 'http://127.0.0.1:4321', 'null', ''])(
    'is refused to a page of the origin %j',
    (origin) => {
      expect(ask({ origin })).toBe(403);
      expect(ask({ origin }, 'OPTIONS')).toBe(403);
    },
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
  ])('is refused with the authorization %j', (authorization) => expect(ask({ authorization })).toBe(401));

  it('is refused elsewhere and by other methods, given the token', () => {
    expect(ask({}, 'POST', '/')).toBe(404);
    expect(ask({}, 'POST', '/mcp/x')).toBe(404);
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']) expect(ask({}, method)).toBe(405);
    expect(ask({ authorization: undefined }, 'PUT')).toBe(401);
  });
});
