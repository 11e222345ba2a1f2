import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSignInRedirect, type SignInRedirect } from '../../../../../src/tools/mcp/signIn/signInRedirect';
import { SignIns } from '../../../../../src/tools/mcp/signIn/signInStore';
import { startSignInServer } from '../../../../fixtures/signInServer.mjs';
import { SecretStorage } from '../../../shim/basics';
import { serveInTest } from '../serve';
import { TestWorld } from '../world';

let world: TestWorld;
let own: string;
let redirect: SignInRedirect;
/** The pages that the user was sent to. */
let signedIn: URL[];
let answer: (request: IncomingMessage, body: { id?: unknown; method?: string }, response: ServerResponse) => void;
beforeEach(async () => {
  world = new TestWorld();
  redirect = await openSignInRedirect(async (url) => url);
  const kept = new SignIns(new SecretStorage(), () => {});
  world.signIns = async () => ({ kept, redirect: async () => redirect });
  signedIn = [];
  world.signIn = async (_, { page }) => {
    signedIn.push(page);
    void fetch(page);
    return true;
  };
  own = await serveInTest(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    answer(request, JSON.parse(text || '{}'), response);
  });
});
afterEach(async () => {
  await world.source.dispose();
  redirect.close();
});

const json = (response: ServerResponse, body: object, status = 200, headers = {}) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

const isMetadata = ({ url }: IncomingMessage) => url?.includes('well-known') === true;
/** Asks for a sign-in, and gives the address of the server's metadata. */
const wantSignIn = (response: ServerResponse) =>
  json(response, {}, 401, {
    'WWW-Authenticate': `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource/mcp"`,
  });
/** The metadata of an authorization server at our own address. */
const issuerMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${own}/authorize`,
  token_endpoint: `${own}/token`,
  registration_endpoint: `${own}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
});

/** Starts the server beside a healthy one. Returns the reason why it failed. */
async function failureOf(url = `${own}/mcp`) {
  const label = '~/.cursor/mcp.json';
  await world.start({ ...world.server('odd', { type: 'http', url }), label }, world.faulty('good'));
  expect(world.info('good').state).toBe('running');
  expect(world.info('odd').source).toBe(`from ${label}`);
  return world.info('odd').detail;
}

describe('a server that answers wrongly says why it failed; others go on', () => {
  it.each<[string, typeof answer, RegExp]>([
    [
      'redirects to another origin',
      (_, _body, response) => void response.writeHead(307, { Location: 'https://elsewhere.example/mcp' }).end(),
      /redirects to https:\/\/elsewhere\.example\. Nothing is sent there\. .* set its "url" in ~\/\.cursor\/mcp\.json\.$/,
    ],
    [
      'wants a sign-in without saying where',
      (_, _body, response) => void response.writeHead(401).end(),
      /^It wants a sign-in, and ~\/\.cursor\/mcp\.json gives it none\. Add "headers"/,
    ],
    [
      'has metadata of another server',
      (request, _, response) => {
        if (!isMetadata(request)) return wantSignIn(response);
        if (!request.url?.includes('protected-resource')) return json(response, issuerMetadata(own));
        return json(response, { resource: 'https://elsewhere.example/mcp', authorization_servers: [own] });
      },
      /^Signing in to it failed: .*https:\/\/elsewhere\.example\/mcp/,
    ],
    [
      'names an issuer that calls itself another',
      (request, _, response) => {
        if (!isMetadata(request)) return wantSignIn(response);
        if (!request.url?.includes('protected-resource'))
          return json(response, issuerMetadata('https://other.example'));
        return json(response, { resource: `${own}/mcp`, authorization_servers: [own] });
      },
      /^Signing in to it failed: Issuer mismatch .* received "https:\/\/other\.example"$/,
    ],
  ])('one that %s', async (_, respond, sentence) => {
    answer = respond;
    expect(await failureOf()).toMatch(sentence);
    expect(signedIn).toEqual([]);
  });

  it('one whose issuer is another after the visit', async () => {
    const server = await startSignInServer();
    server.state.claimsIssuer = 'https://evil.example';
    expect(await failureOf(server.url)).toMatch(
      /^Signing in to it failed: Issuer mismatch .* "https:\/\/evil\.example"$/,
    );
    expect(server.state.tokens.size).toBe(0);
    await server.stop();
  });

  it('one whose token ends in the middle, and whose page then refuses', async () => {
    const server = await startSignInServer();
    await failureOf(server.url);
    server.state.tokens.clear();
    server.state.refresh.clear();
    server.state.deniesWith = 'access_denied';
    expect(await world.call('odd/whoami')).toMatchObject({
      outcome: 'failed',
      text: expect.stringMatching(/^odd_whoami failed: Signing in to it failed: access_denied/),
    });
    await server.stop();
  });
});
