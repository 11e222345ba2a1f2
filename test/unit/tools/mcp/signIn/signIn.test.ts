import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerSignIn, type SignInRequest } from '../../../../../src/tools/mcp/signIn/serverSignIn';
import { openSignInRedirect, type SignInRedirect } from '../../../../../src/tools/mcp/signIn/signInRedirect';
import { SignIns } from '../../../../../src/tools/mcp/signIn/signInStore';
import { startSignInServer } from '../../../../fixtures/signInServer.mjs';
import { SecretStorage } from '../../../shim/basics';
import { TestWorld, until } from '../world';

let world: TestWorld;
let server: Awaited<ReturnType<typeof startSignInServer>>;
let redirect: SignInRedirect;
let stored: SecretStorage;
let asked: SignInRequest[];
beforeEach(async () => {
  server = await startSignInServer();
  redirect = await openSignInRedirect(async (url) => url);
  stored = new SecretStorage();
  asked = [];
  openWindow();
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

async function nextWindow(more = {}): Promise<void> {
  await world.source.dispose();
  openWindow(more);
}

function openWindow(more = {}): void {
  world = new TestWorld();
  withSignIns(world);
  world.definitions = [world.server('private', { type: 'http', url: server.url, ...more })];
}

async function follow(): Promise<void> {
  world.source.follow();
  await world.ready();
}

const create = (clientId?: string) => {
  const kept = new SignIns(stored, () => {}).of('private', new URL(server.url));
  const given = clientId === undefined ? {} : { clientId };
  return new ServerSignIn({ server: 'private', ...given, redirect: async () => redirect, kept }, redirect);
};

describe('a server that wants a sign-in', () => {
  it('is listed and called once the user has signed in', async () => {
    await follow();
    expect(world.info('private').state).toBe('running');
    expect((await world.call('private/whoami')).text).toBe('You are signed in');
    expect(asked.map(({ issuer, page }) => [issuer, page.origin])).toEqual([
      [server.issuer, new URL(server.issuer).origin],
    ]);
  });

  it('keeps its tokens in secret storage, redacted', async () => {
    await follow();
    const [token = ''] = [...server.state.tokens.keys()];
    const keys = await stored.keys();
    expect(keys).toEqual([expect.stringMatching(/^mcp\.signIn:/)]);
    expect(await stored.get(keys[0] ?? '')).toContain(token);
    expect(world.secrets.redact(`Bearer ${token}`)).not.toContain(token);
  });

  it('asks for no second sign-in in the next window', async () => {
    await follow();
    await nextWindow();
    await follow();
    expect(world.info('private').state).toBe('running');
    expect(asked).toHaveLength(1);
  });

  it.each([true, false])('renews an expired token, else asks again, for one call: %j', async (renews) => {
    await follow();
    server.state.tokens.clear();
    if (!renews) server.state.refresh.clear();
    expect((await world.call('private/whoami')).text).toBe('You are signed in');
    expect([asked.length, server.state.refreshed, server.state.called]).toEqual(renews ? [1, 1, 1] : [2, 0, 1]);
  });

  it('asks for the scopes that a call needs', async () => {
    await follow();
    server.state.requiredScopes = ['files:read'];
    expect((await world.call('private/whoami')).text).toBe('You are signed in');
    expect(asked.at(-1)?.scopes).toEqual(['files:read']);
  });

  it('sends the headers of mcp.json to the server alone', async () => {
    await nextWindow({ headers: { 'X-Team-Key': 'team-key-123' } });
    await follow();
    expect(world.info('private').state).toBe('running');
    expect(server.state.issuerHeaders.length).toBeGreaterThan(0);
    expect(server.state.issuerHeaders.filter((headers) => 'x-team-key' in headers)).toEqual([]);
  });

  it('is signed in to as the client of mcp.json', async () => {
    const mine = { client_id: 'mine', redirect_uris: [redirect.url], token_endpoint_auth_method: 'none' };
    server.state.clients.set('mine', mine);
    await nextWindow({ oauth: { clientId: 'mine' } });
    await follow();
    expect([world.info('private').state, [...server.state.clients.keys()]]).toEqual(['running', ['mine']]);
  });

  it('isn’t signed in to if mcp.json has its Authorization', async () => {
    await nextWindow({ headers: { authorization: 'Bearer old' } });
    await follow();
    expect([asked, world.info('private').detail]).toEqual([[], expect.stringMatching(/refuses the Authorization/)]);
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

it('fails to sign out if one of two tokens isn’t revoked', async () => {
  await follow();
  const kept = (await world.signIns?.())?.kept;
  const [entry] = (await kept?.list()) ?? [];
  const [token = ''] = [...server.state.tokens.keys()];
  const real = globalThis.fetch;
  const [clientId] = server.state.clients.keys();
  const bodies: string[] = [];
  const refusing: typeof fetch = (input, init) => {
    expect(init).toMatchObject({ method: 'POST', signal: expect.any(AbortSignal) });
    bodies.push(String(init?.body));
    return String(init?.body).includes(token)
      ? Promise.resolve(new Response(null, { status: 503 }))
      : real(input, init);
  };
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(refusing);
  expect(await kept?.signOut(entry?.key ?? '')).toBe(false);
  spy.mockRestore();
  expect(server.state.revoked.length).toBe(1);
  expect(bodies).toEqual([
    expect.stringMatching(new RegExp(`^token=refresh-[\\w-]+&client_id=${clientId}$`)),
    `token=${token}&client_id=${clientId}`,
  ]);
});

it('signs out alone if nothing can be revoked, and lists whole sign-ins', async () => {
  const kept = new SignIns(stored, () => {});
  const tokens = { access_token: 'a', token_type: 'bearer' };
  const places = [undefined, 'https://127.0.0.1:1/', 'http://other.example/revoke', `${server.issuer}revoke`];
  for (const [index, revocationUrl] of places.entries())
    await kept
      .of(`s${index}`, new URL('https://a.example/mcp'))
      .write({ server: `s${index}`, issuer: server.issuer, tokens, ...(revocationUrl ? { revocationUrl } : {}) });
  await stored.store('mcp.signIn:damaged', '{"server":"x"}');
  await stored.store('other', (await stored.get((await stored.keys())[0] ?? '')) as string);
  const listed = await kept.list();
  const keys = (await stored.keys()).slice(0, places.length);
  expect(listed).toEqual(keys.map((key, index) => ({ key, server: `s${index}`, issuer: server.issuer })));
  const revoked = [];
  for (const { key } of listed) revoked.push(await kept.signOut(key));
  expect(revoked).toEqual([false, false, false, false]);
  expect(await kept.signOut('mcp.signIn:damaged')).toBe(true);
  expect(await stored.keys()).toEqual(['other']);
});

it('keeps the sign-in with the newest issuer alone', async () => {
  const kept = (await world.signIns?.())?.kept.of('private', new URL(server.url));
  const tokens = { access_token: 'token', token_type: 'bearer' };
  const old = { server: 'private', issuer: 'https://old.example', client: { client_id: 'old' }, tokens };
  await kept?.write({ ...old, revocationUrl: 'https://old.example/revoke' });
  await create().saveTokens(tokens, { issuer: 'https://new.example' });
  expect(await kept?.read()).toEqual({ server: 'private', issuer: 'https://new.example', tokens });
  expect(await kept?.read('https://old.example')).toBeUndefined();
  const listed = await (await world.signIns?.())?.kept.list();
  expect(listed?.map(({ issuer }) => issuer)).toEqual(['https://new.example']);
});

it('keeps what it knew of the same issuer when tokens are renewed', async () => {
  const own = create();
  const issuer = 'https://a.example';
  const metadata = { issuer, revocation_endpoint: `${issuer}/revoke` } as never;
  own.saveDiscoveryState({ authorizationServerUrl: issuer, authorizationServerMetadata: metadata });
  own.saveClientInformation({ client_id: 'c', client_secret: 's' });
  const tokens = { access_token: 'one', refresh_token: 'r', token_type: 'Bearer' };
  await own.saveTokens(tokens);
  const whole = {
    server: 'private',
    issuer,
    revocationUrl: `${issuer}/revoke`,
    client: { client_id: 'c', client_secret: 's' },
  };
  const kept = new SignIns(stored, () => {}).of('private', new URL(server.url));
  expect(await kept.read()).toEqual({ ...whole, tokens });
  const later = create();
  await later.saveTokens({ ...tokens, access_token: 'two' }, { issuer });
  expect(await kept.read(issuer)).toEqual({ ...whole, tokens: { ...tokens, access_token: 'two' } });
  const known = async (ctx?: { issuer: string }) => [
    await later.tokens(ctx as never),
    await later.clientInformation(ctx as never),
  ];
  expect(await known({ issuer })).toEqual([{ ...tokens, access_token: 'two' }, whole.client]);
  expect(await known({ issuer: 'https://b.example' })).toEqual([undefined, undefined]);
  await own.invalidateCredentials('discovery');
  await own.saveTokens(tokens);
  expect(await kept.read()).toMatchObject({ issuer: '', tokens });
});

it('learns every secret of a sign-in, written or read', async () => {
  const secrets: string[] = [];
  const of = (learnt: string[]) => new SignIns(stored, (secret) => learnt.push(secret)).of('a', new URL(server.url));
  const tokens = { access_token: 'access', refresh_token: 'refresh', token_type: 'bearer' };
  const client = { client_id: 'a', client_secret: 'secret' };
  await of(secrets).write({ server: 'a', issuer: server.issuer, client, tokens });
  const read: string[] = [];
  await of(read).read();
  expect([secrets, read]).toEqual(Array(2).fill(['access', 'refresh', 'secret']));
});

describe('the token of one host', () => {
  it('isn’t sent to another to which the same entry leads', async () => {
    const other = await startSignInServer();
    for (const { url } of [server, other]) {
      await nextWindow({ url: '${input:base}/mcp' });
      world.inputs.set('base', new URL(url).origin);
      await follow();
      expect(world.info('private').state).toBe('running');
    }
    expect(asked.map(({ issuer }) => issuer)).toEqual([server.issuer, other.issuer]);
    const [token] = server.state.tokens.keys();
    const sent = [...other.state.headers, ...other.state.issuerHeaders].map((headers) => JSON.stringify(headers));
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.filter((headers) => headers.includes(token ?? ''))).toEqual([]);
    await other.stop();
  });

  it.each(['', '?tenant=b', '/b'])('isn’t known at the same host’s address with “%s” added', async (more) => {
    const signIns = (await world.signIns?.())?.kept;
    const tokens = { access_token: 'token-of-a', token_type: 'bearer' };
    await signIns
      ?.of('a', new URL('https://a.example/mcp'))
      .write({ server: 'a', issuer: 'https://a.example', tokens });
    const read = await signIns?.of('a', new URL(`https://a.example/mcp${more}`)).read();
    expect(read?.tokens.access_token).toBe(more === '' ? 'token-of-a' : undefined);
  });
});

it('a sign-in whose secrets can’t be read or written ends as told', async () => {
  const told: string[] = [];
  for (const [name, most] of [
    ['get', 6],
    ['store', 2],
    ['delete', 1],
    ['keys', 1],
  ] as const)
    for (let at = 1; at <= most; at++) {
      stored = new SecretStorage();
      let count = 0;
      const real = stored[name] as (...given: string[]) => Promise<never>;
      const broken = (...given: string[]) => (++count === at ? Promise.reject(new Error('Locked.')) : real(...given));
      Object.assign(stored, { [name]: broken });
      asked = [];
      await nextWindow();
      await follow();
      const { state, detail } = world.info('private');
      const called = await world.call('private/whoami').then(({ text }) => text, String);
      const kept = (await world.signIns?.())?.kept;
      const out = await kept
        ?.list()
        .then((all) => kept.signOut(all[0]?.key ?? ''))
        .catch(String);
      told.push(
        `${name} ${at} fails`,
        ...[state, detail, called, `signed out: ${out}`, `asked ${asked.length}`].map((it) => ` ${it}`),
      );
    }
  await expect(`${told.join('\n').replace(/:\d{4,}/g, ':PORT')}\n`).toMatchFileSnapshot('lockedSecrets.txt');
});

describe('a registration', () => {
  const clients = () => asked.map(({ page }) => server.state.clients.has(page.searchParams.get('client_id') ?? ''));

  it('is made again after a sign-in that was declined, and isn’t kept', async () => {
    const agree = world.signIn;
    world.signIn = async () => false;
    await follow();
    expect(await stored.keys()).toEqual([]);
    server.state.clients.clear();
    await nextWindow();
    world.signIn = agree;
    await follow();
    expect([world.info('private').state, clients()]).toEqual(['running', [true]]);
  });

  it('is made again if its service has forgotten it and the tokens', async () => {
    await follow();
    server.state.clients.clear();
    server.state.tokens.clear();
    expect((await world.call('private/whoami')).text).toBe('You are signed in');
    expect(clients()).toEqual([false, true]);
  });

  it.each([
    ['all', []],
    ['client', []],
    ['tokens', ['new']],
    ['verifier', ['new', 'token']],
    ['discovery', ['new', 'token']],
  ] as const)('and its tokens are forgotten as far as needed: %s', async (scope, left) => {
    const own = create();
    await own.saveTokens({ access_token: 'token', token_type: 'Bearer', refresh_token: 'r' });
    own.saveClientInformation({ client_id: 'new' });
    await own.invalidateCredentials(scope);
    const known = [(await own.clientInformation())?.client_id, (await own.tokens())?.access_token];
    expect(known.filter((each) => each !== undefined)).toEqual(left);
  });

  it('is used for one sign-in, unless it renews tokens', async () => {
    const own = create();
    for (const more of [{}, { refresh_token: 'r' }]) {
      own.saveClientInformation({ client_id: 'used' });
      await own.saveTokens({ access_token: 'token', token_type: 'Bearer', ...more });
      expect(await own.clientInformation()).toEqual('refresh_token' in more ? { client_id: 'used' } : undefined);
    }
  });

  it.each(['invalid_client', 'unauthorized_client'])('is forgotten if the sign-in page says %s', async (error) => {
    await follow();
    server.state.tokens.clear();
    server.state.refresh.clear();
    server.state.deniesWith = error;
    expect((await world.call('private/whoami')).outcome).not.toBe('ok');
    expect(await stored.keys()).toEqual([]);
  });
});

describe('a sign-in page', () => {
  const signIn = (page: string, it = create(), finishAuth = async () => {}) => {
    it.redirectToAuthorization(new URL(page));
    const events = {
      signIn: (request: SignInRequest, signal: AbortSignal) => world.signIn('private', request, signal),
    };
    return it.finish({ finishAuth }, events, AbortSignal.timeout(20_000));
  };

  it('has a state of its own, and the client of mcp.json', async () => {
    const own = create('mine');
    expect(own.state()).not.toBe(own.state());
    expect(own.state()).toMatch(/^[\w-]{32}$/);
    own.saveClientInformation({ client_id: 'other' });
    expect(await own.clientInformation()).toEqual({ client_id: 'mine' });
    own.saveCodeVerifier('verifier');
    expect([own.codeVerifier(), own.redirectUrl, own.clientMetadata]).toEqual([
      'verifier',
      redirect.url,
      {
        client_name: 'Tool Search for VS Code',
        redirect_uris: [redirect.url],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ]);
  });

  it.each([
    ['state', /needs you to sign in/, 0],
    ['code=a&iss=b&state', undefined, 1],
    ['error=access_denied&error_description=no&state', undefined, 1],
    ['code=bad&state', /^Signing in to it failed: bad$/, 1],
  ])('that returns with %s ends so: %s', async (query, problem, finished) => {
    const own = create();
    const state = own.state();
    world.signIn = async (_, request) =>
      asked.push(request) > 0 && (await fetch(`${redirect.url}?${query}=${state}`)).ok;
    const given: string[] = [];
    const finish = async (params: URLSearchParams) => {
      given.push(String(params));
      if (params.get('code') === 'bad') throw new Error('bad');
    };
    expect(own.isWanted).toBe(false);
    const signing = signIn('https://login.example/?scope=a++b', own, finish as never);
    expect(await signing.catch((error: Error) => error.message)).toEqual(problem && expect.stringMatching(problem));
    expect(given).toEqual(Array(finished).fill(`${query}=${state}`));
    expect(asked).toEqual([
      { issuer: 'https://login.example', page: new URL('https://login.example/?scope=a++b'), scopes: ['a', 'b'] },
    ]);
    expect(own.isWanted).toBe(false);
    await expect(own.finish({ finishAuth: finish as never }, {} as never, AbortSignal.timeout(1))).rejects.toThrow(
      /needs you to sign in/,
    );
  });

  it('is given up for the reason that its call is', async () => {
    const stop = new AbortController();
    const own = create();
    own.redirectToAuthorization(new URL('https://login.example/'));
    const reason = new Error('Given up.');
    const events = {
      signIn: async () => {
        stop.abort(reason);
        return true;
      },
    };
    await expect(own.finish({ finishAuth: async () => {} }, events, stop.signal)).rejects.toBe(reason);
  });

  it('forgets the issuer that was found for it', async () => {
    const own = create();
    const found = { authorizationServerUrl: server.issuer };
    own.saveDiscoveryState(found);
    const seen = [own.discoveryState()];
    const state = own.state();
    world.signIn = async () => (await fetch(`${redirect.url}?code=a&state=${state}`)).ok;
    await signIn('https://login.example/', own, async () => void seen.push(own.discoveryState()));
    seen.push(own.discoveryState());
    expect(seen).toEqual([undefined, found, undefined]);
  });

  it.each([
    'vscode://evil.extension/run',
    'file:///etc/passwd',
    'ms-settings:display',
    'smb://evil.example/share',
    'http://evil.example/authorize',
    'http://127.0.0.1.evil.example/authorize',
    'http://localhost@evil.example/authorize',
  ])('%s isn’t opened, and nobody is asked', async (page) => {
    world.signIn = async (_, request) => asked.push(request) > 0;
    const long = `${page}${'x'.repeat(300)}`;
    await expect(signIn(long)).rejects.toThrow(
      `Its sign-in page ${new URL(long).href.slice(0, 199)}… isn’t opened: it must begin with https://, or be on this machine.`,
    );
    expect(asked).toEqual([]);
  });

  it.each(['https://login.example/authorize', 'http://localhost:8080/', 'http://[::1]/', 'http://127.0.0.1:1/'])(
    '%s is opened if the user agrees',
    async (page) => {
      world.signIn = async (_, request) => asked.push(request) < 0;
      await expect(signIn(page)).rejects.toThrow(/needs you to sign in/);
      expect(asked.map((request) => request.page.href)).toEqual([page]);
    },
  );
});

describe('a sign-in that comes to nothing', () => {
  it('is said when the user declines, and nothing is visited', async () => {
    let state: string | null = '';
    world.signIn = async (_, { page }) => {
      state = page.searchParams.get('state');
      return false;
    };
    await follow();
    expect(world.info('private')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/needs you to sign in/),
    });
    expect(server.state.tokens.size).toBe(0);
    expect((await fetch(`${redirect.url}?code=late&state=${state}`)).status).toBe(404);
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
});
