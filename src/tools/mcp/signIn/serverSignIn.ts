// Signs in to a server over HTTP with OAuth. The MCP SDK does discovery, registration, PKCE, token refresh and the
// checks of issuers. This file asks the user, passes the tokens to the store and passes on the browser's answer.

import { randomBytes } from 'node:crypto';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { cut } from '../../../core/util/cut';
import { l10n } from '../../../core/util/l10n';
import { isSafeWebAddress } from '../../../core/util/loopback';
import { messageOf } from '../../../core/util/messageOf';
import { untilAborted } from '../../../core/util/signals';
import { ServerFailure } from '../config/serverFailure';
import type { SignInRedirect } from './signInRedirect';
import type { ServerSignIns } from './signInStore';

/** Of an address in an error message, in characters. */
const MAX_ADDRESS = 200;
/** The errors with which a page or service says that it doesn't know the client. */
const UNKNOWN_CLIENT = ['invalid_client', 'unauthorized_client'];
const declined = () => l10n.t('It needs you to sign in. Choose Retry to sign in.');

/** A sign-in that a server requests. Its page and scopes are untrusted. */
export interface SignInRequest {
  /** The address of the service that issues the tokens. */
  readonly issuer: string;
  readonly page: URL;
  readonly scopes: readonly string[];
}

/** The functions and data for signing in to a server. */
export interface SignInOptions {
  readonly server: string;
  /** `oauth.clientId` in `mcp.json`. Without it, the client registers itself. */
  readonly clientId?: string;
  readonly kept: ServerSignIns;
  /**
   * Returns the address to which browsers return after a sign-in. It is opened at its first use and shared by all
   * servers of the window.
   */
  readonly redirect: () => Promise<SignInRedirect>;
}

/** The sign-in for one connection to a server. */
export class ServerSignIn implements OAuthClientProvider {
  readonly #options: SignInOptions;
  readonly #redirect: SignInRedirect;
  /**
   * The client's registration during a sign-in. It is stored with the tokens: the service may forget one that was never
   * used, and each use would fail.
   */
  #client: StoredOAuthClientInformation | undefined;
  #state = '';
  #verifier = '';
  #page: URL | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #isFinishing = false;

  constructor(options: SignInOptions, redirect: SignInRedirect) {
    this.#options = options;
    this.#redirect = redirect;
  }

  get redirectUrl(): string {
    return this.#redirect.url;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Tool Search for VS Code',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    this.#state = randomBytes(24).toString('base64url');
    return this.#state;
  }

  /** Returns the client's registration. An earlier one is used only to renew its tokens. */
  async clientInformation(ctx?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    if (this.#options.clientId !== undefined) return { client_id: this.#options.clientId };
    if (this.#client) return this.#client;
    const kept = await this.#options.kept.read(ctx?.issuer);
    return kept?.tokens.refresh_token === undefined ? undefined : kept.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  async tokens(ctx?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    return (await this.#options.kept.read(ctx?.issuer))?.tokens as StoredOAuthTokens | undefined;
  }

  async saveTokens(tokens: StoredOAuthTokens, ctx?: OAuthClientInformationContext): Promise<void> {
    const metadata: object = this.#discovered?.authorizationServerMetadata ?? {};
    const revocationUrl = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
    const issuer = ctx?.issuer ?? this.#discovered?.authorizationServerMetadata?.issuer ?? '';
    const client = await this.clientInformation(ctx);
    await this.#options.kept.write({
      ...(await this.#options.kept.read(issuer)),
      ...(client && { client: { ...client } }),
      ...(typeof revocationUrl === 'string' && { revocationUrl }),
      server: this.#options.server,
      issuer,
      tokens: { ...tokens },
    });
    this.#client = undefined;
  }

  /** Called by the SDK to open the sign-in page. The page is only stored: {@link finish} asks the user first. */
  redirectToAuthorization(page: URL): void {
    this.#page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'discovery') this.#discovered = undefined;
    if (scope === 'verifier' || scope === 'discovery') return;
    // A sign-in that is being finished still needs its registration, to say why its code was refused.
    if (scope !== 'tokens') this.#client = undefined;
    await this.#options.kept.forget();
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  /**
   * Returns the discovered issuer while a sign-in is being finished. A new sign-in discovers it again, since the server
   * may have changed it.
   */
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#isFinishing ? this.#discovered : undefined;
  }

  /** Whether the SDK wants the user to open a sign-in page. */
  get isWanted(): boolean {
    return this.#page !== undefined;
  }

  /**
   * Asks the user, opens the page in the browser and passes the answer to the transport, which requests the tokens.
   * Rejects with a {@link ServerFailure} if the user declines or the sign-in fails.
   */
  async finish(
    transport: Pick<StreamableHTTPClientTransport, 'finishAuth'>,
    events: { signIn(request: SignInRequest, signal: AbortSignal): Promise<boolean> },
    signal: AbortSignal,
  ): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    if (!page) throw new ServerFailure(declined());
    const address = cut(page.href, MAX_ADDRESS);
    if (!isSafeWebAddress(page))
      throw new ServerFailure(
        l10n.t('Its sign-in page {0} isn’t opened: it must begin with https://, or be on this machine.', address),
      );
    const over = new AbortController();
    const visited = this.#redirect.visited(this.#state, AbortSignal.any([signal, over.signal]));
    visited.catch(() => {});
    try {
      const issuer = this.#discovered?.authorizationServerMetadata?.issuer ?? page.origin;
      const scopes = (page.searchParams.get('scope') ?? '').split(' ').filter(Boolean);
      if (!(await untilAborted(events.signIn({ issuer, page, scopes }, signal), signal)))
        throw new ServerFailure(declined());
      const params = await visited;
      if (!params.has('code') && !params.has('error')) throw new ServerFailure(declined());
      if (UNKNOWN_CLIENT.includes(params.get('error') ?? '')) await this.invalidateCredentials('client');
      this.#isFinishing = true;
      await transport.finishAuth(params);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServerFailure) throw error;
      throw new ServerFailure(l10n.t('Signing in to it failed: {0}', messageOf(error)), { cause: error });
    } finally {
      this.#isFinishing = false;
      over.abort(new Error('over'));
    }
  }
}
