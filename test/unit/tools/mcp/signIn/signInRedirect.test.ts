import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fetchIssuer } from '../../../../../src/tools/mcp/signIn/issuerRequests';
import { openSignInRedirect, type SignInRedirect } from '../../../../../src/tools/mcp/signIn/signInRedirect';

let redirect: SignInRedirect;
beforeEach(async () => {
  redirect = await openSignInRedirect(async (url) => url);
});
afterEach(() => redirect.close());

it('a sign-in returns by a visit with its own state alone', async () => {
  const visited = redirect.visited('expected', new AbortController().signal);
  const visit = async (query: string, method = 'GET') => (await fetch(`${redirect.url}?${query}`, { method })).status;
  expect([await visit('code=x'), await visit('code=x&state=other'), await visit('state=expected', 'POST')]).toEqual([
    404, 404, 404,
  ]);
  expect(await visit('code=mine&state=expected')).toBe(200);
  expect((await visited).get('code')).toBe('mine');
  expect(await visit('code=late&state=expected')).toBe(404);
});

it('a sign-in returns on this machine alone', async () => {
  const socket = connect({ host: '127.0.0.2', port: Number(new URL(redirect.url).port) });
  const [outcome] = await Promise.race([once(socket, 'error'), once(socket, 'connect').then(() => ['connected'])]);
  socket.destroy();
  expect(outcome).toMatchObject({ code: 'ECONNREFUSED' });
});

it.each(['//', '*', 'http://', '/?', '//?state=%'])(
  'a request for “%s” gets an answer and breaks nothing',
  async (path) => {
    const asking = request(redirect.url, { path, agent: false }).end();
    const [response] = await once(asking, 'response');
    response.resume();
    expect(response.statusCode).toBe(404);
  },
);

it.each(['http://127.0.0.1:1/register', 'https://localhost:1/token', 'http://[::1]:1/'])(
  'sends nothing to %s if another machine names it',
  async (service) => {
    await expect(fetchIssuer(new URL('https://mcp.example/mcp'))(service)).rejects.toThrow(/which is this machine/);
    await expect(fetchIssuer(new URL('http://127.0.0.1:9/mcp'))(service)).rejects.toThrow('fetch failed');
  },
);

it('sends nothing to another machine unencrypted', async () => {
  await expect(fetchIssuer(new URL('http://login.example/mcp'))('http://login.example/')).rejects.toThrow(
    /unencrypted/,
  );
});
