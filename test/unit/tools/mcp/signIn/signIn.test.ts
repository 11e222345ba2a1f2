import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SignInRequest } from '../../../../../src/tools/mcp/signIn/serverSignIn';
import { openSignInRedirect, type SignInRedirect } from '../../../../../src/tools/mcp/signIn/signInRedirect';
import { SignIns } from '../../../../../src/tools/mcp/signIn/signIns';
import { startSignInServer } from '../../../../fixtures/signInServer.mjs';
import { SecretStorage } from '../../../shim/basics';
import { startHttp, TestWorld, until } from '../world';

let world: TestWorld;
let server: Awaited<ReturnType<typeof startSignInServer>>;
let redirect: SignInRedirect;
let stored: SecretStorage;
let asked: SignInRequest[];
beforeEach(async () => {
  world = new TestWorld();
  server = await startSignInServer();
  redirect = await openSignInRedirect(async (url) => url);
  stored = new SecretStorage();
  asked = [];
  withSignIns(world);
  world.definitions = [world.server('private', { type: 'http', url: server.url })];
});
afterEach(async () => {
  await world.source.dispose();
  redirect.close();
  await server.stop();
});

/** Lets the world sign in, as a user does who agrees: the browser visits the page and follows its redirects. */
function withSignIns(to: TestWorld): void {
  const kept = new SignIns(stored, (secret) => to.secrets.add(secret));
  to.signIns = async () => ({ kept, redirect: async () => redirect });
  to.signIn = async (_, request) => {
    asked.push(request);
    void fetch(request.page);
    return true;
  };
}

async function follow(): Promise<void> {
  world.source.follow();
  await world.ready();
}

describe('a server that wants a sign-in', () => {
  it('is listed and called once the user has signed in', async () => {
    await follow();
    expect(world.info('private').state).toBe('running');
    expect((await world.call('private/whoami')).text).toBe('You are signed in');
    expect(asked.map(({ issuer, page }) => [issuer, page.origin])).toEqual([
      [server.issuer, new URL(server.issuer).origin],
    ]);
  });

  it('keeps its tokens in secret storage by server and issuer, redacted', async () => {
    await follow();
    const [token = ''] = [...server.state.tokens.keys()];
    const keys = await stored.keys();
    expect(keys).toEqual([expect.stringMatching(/^mcp\.signIn:.+:http:\/\/127\.0\.0\.1/)]);
    expect(await stored.get(keys[0] ?? '')).toContain(token);
    expect(world.secrets.redact(`Bearer ${token}`)).not.toContain(token);
  });

  it('asks for no second sign-in in the next window', async () => {
    await follow();
    await world.source.dispose();
    world = new TestWorld();
    withSignIns(world);
    world.definitions = [world.server('private', { type: 'http', url: server.url })];
    await follow();
    expect(world.info('private').state).toBe('running');
    expect(asked).toHaveLength(1);
  });

  it('has an expired token renewed without a question', async () => {
    await follow();
    server.state.tokens.clear();
    expect((await world.call('private/whoami')).text).toBe('You are signed in');
    expect([asked.length, server.state.refreshed]).toEqual([1, 1]);
  });

  it('asks again for an expired token, and runs the call once', async () => {
    await follow();
    server.state.tokens.clear();
    server.state.refresh.clear();
    expect((await world.call('private/whoami')).text).toBe('You are signed in');
    expect([asked.length, server.state.called]).toEqual([2, 1]);
  });

  it('asks for the scopes that a call needs', async () => {
    await follow();
    server.state.requiredScopes = ['files:read'];
    expect((await world.call('private/whoami')).text).toBe('You are signed in');
    expect(asked.at(-1)?.scopes).toEqual(['files:read']);
  });

  it('sends the headers of mcp.json to the server alone', async () => {
    world.definitions = [
      world.server('private', { type: 'http', url: server.url, headers: { 'X-Team-Key': 'team-key-123' } }),
    ];
    await follow();
    expect(world.info('private').state).toBe('running');
    expect(server.state.issuerHeaders.length).toBeGreaterThan(0);
    expect(server.state.issuerHeaders.filter((headers) => 'x-team-key' in headers)).toEqual([]);
  });
});

it('signs out by having the tokens revoked, and forgets them', async () => {
  await follow();
  const [token] = [...server.state.tokens.keys()];
  const kept = (await world.signIns?.())?.kept;
  const [entry] = (await kept?.list()) ?? [];
  expect(entry).toMatchObject({ server: 'private', issuer: server.issuer });
  expect(await kept?.signOut(entry?.key ?? '')).toBe(true);
  expect(server.state.revoked).toContain(token);
  expect(await stored.keys()).toEqual([]);
});

it('keeps the tokens of the newest issuer alone', async () => {
  const kept = (await world.signIns?.())?.kept.of(world.server('private', { type: 'http', url: server.url }));
  const signIn = (issuer: string) => ({
    server: 'private',
    issuer,
    redirectUrl: redirect.url,
    tokens: { access_token: `token-of-${issuer}`, token_type: 'bearer' },
  });
  await kept?.write(signIn('https://old.example'));
  await kept?.write(signIn('https://new.example'));
  expect((await kept?.read())?.tokens?.access_token).toBe('token-of-https://new.example');
  expect(await kept?.read('https://old.example')).toBeUndefined();
  await kept?.write({ ...signIn('https://third.example'), tokens: undefined });
  const listed = await (await world.signIns?.())?.kept.list();
  expect(listed?.map(({ issuer }) => issuer)).toEqual(['https://new.example']);
});

describe('a sign-in that comes to nothing', () => {
  it('is said when the user declines, and nothing is visited', async () => {
    world.signIn = async () => false;
    await follow();
    expect(world.info('private')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/needs you to sign in/),
    });
    expect(server.state.tokens.size).toBe(0);
  });

  it('is said when the page refuses', async () => {
    server.state.denies = true;
    await follow();
    expect(world.info('private')).toMatchObject({ state: 'failed', detail: expect.stringMatching(/access_denied/) });
  });

  it('gives no token to an issuer that turns out to be another', async () => {
    server.state.claimsIssuer = 'https://evil.example';
    await follow();
    expect(world.info('private').state).toBe('failed');
    expect(server.state.tokens.size).toBe(0);
  });

  it('ends with the call that waits for it', async () => {
    await follow();
    server.state.tokens.clear();
    server.state.refresh.clear();
    world.signIn = () => new Promise(() => {});
    const stop = new AbortController();
    const calling = world.call('private/whoami', {}, stop.signal);
    await until('the question', () => world.source.isAsking(world.tool('private/whoami')));
    stop.abort();
    expect((await calling).outcome).toBe('cancelled');
    withSignIns(world);
    expect(await world.call('private/whoami')).toMatchObject({ outcome: 'ok', text: 'You are signed in' });
  });

  it('is not offered by a server that only takes a token', async () => {
    const closed = await startHttp('closed', ['--token', 'x']);
    world.definitions = [world.server('private', { type: 'http', url: closed.url })];
    await follow();
    expect(world.info('private').detail).toMatch(/wants a sign-in.*Add "headers"/);
    expect(asked).toEqual([]);
    await closed.stop();
  });

  it('is not begun by a visit that nobody asked for', async () => {
    const response = await fetch(`${redirect.url}?code=abc&state=guess`);
    expect(response.status).toBe(404);
  });
});
