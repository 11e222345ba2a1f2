import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
  const page = await fetch(`${redirect.url}?code=mine&state=expected`);
  expect(page.status).toBe(200);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    connection: 'close',
  });
  expect(await page.text()).toContain('<p>You can close this page and return to VS Code.');
  expect((await visited).get('code')).toBe('mine');
  expect(await visit('code=late&state=expected')).toBe(404);
});

it('several windows wait at once, each at its address until it closes', async () => {
  const other = await openSignInRedirect(async (url) => `${url}external`);
  expect(other.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/external$/);
  expect(other.url.startsWith(redirect.url)).toBe(false);
  const [stop, reason] = [new AbortController(), new Error('Given up.')];
  const visits = ['one', 'two'].map((state) => other.visited(state, stop.signal));
  const settled = Promise.allSettled(visits);
  expect((await fetch(`${other.url}?code=b&state=two`)).status).toBe(200);
  expect(String(await visits[1])).toBe('code=b&state=two');
  stop.abort(reason);
  expect(await settled).toMatchObject([{ reason }, { status: 'fulfilled' }]);
  expect((await fetch(`${other.url}?code=a&state=one`)).status).toBe(404);
  other.close();
  await expect(fetch(other.url)).rejects.toThrow();
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

it('sends nothing to another machine unencrypted, or to where a service redirects', async () => {
  await expect(fetchIssuer(new URL('http://login.example/mcp'))('http://login.example/')).rejects.toThrow(
    'The sign-in would go to login.example unencrypted, so nothing is sent there.',
  );
  const answers = [Response.redirect('https://evil.example/', 307), new Response('{}')];
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answers.shift() as Response);
  const asking = fetchIssuer(new URL('https://a.example/mcp'))(new Request('https://login.example/token'), {
    method: 'POST',
  });
  await expect(asking).rejects.toThrow(
    'https://login.example redirects to https://evil.example. Nothing is sent there.',
  );
  expect(spy).toHaveBeenCalledTimes(1);
  spy.mockRestore();
});
