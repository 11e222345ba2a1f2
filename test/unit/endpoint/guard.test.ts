import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../src/endpoint/guard';

const good = { host: '127.0.0.1:4321', authorization: 'Bearer right' };
const ask = (headers: { readonly [name: string]: string | undefined }, url = '/mcp') =>
  refusalOf({ url, headers: { ...good, ...headers } }, 'right')?.status;

describe('a request to the endpoint', () => {
  it('is let in with its token', () => {
    expect(ask({})).toBeUndefined();
    expect(ask({ host: 'LocalHost:4321' }, '/mcp?x=1')).toBeUndefined();
    expect(ask({ origin: 'http://localhost:4321' })).toBeUndefined();
  });

  it('may write the scheme of its token in any case', () => {
    expect(ask({ authorization: 'bearer right' })).toBeUndefined();
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
