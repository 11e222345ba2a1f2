// Signs in to one server over HTTP by OAuth: the MCP SDK does discovery, registration, PKCE, refresh and the checks of
// issuers; this file asks the user first, keeps what is kept, and brings the browser's answer back.

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
import { l10n } from '../../core/util/l10n';
import { messageOf } from '../../core/util/messageOf';
import { untilAborted } from '../../core/util/signals';
import type { ConnectionEvents, SignInOptions } from './connection';
import { ServerFailure } from './failure';
import type { SignInRedirect } from './signInRedirect';
import type { KeptSignIn } from './signIns';

/** How many scopes are shown. */
const MAX_SCOPES = 30;
const declined = () => l10n.t('It needs you to sign in. Choose Retry to sign in.');

/** The sign-in of one server while a connection to it is made and used. */
export class ServerSignIn implements OAuthClientProvider {
  readonly #options: SignInOptions;
  readonly #redirect: SignInRedirect;
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

  /** A registration is for one redirect address: with another the server is asked for a new one. */
  async clientInformation(ctx?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    if (this.#options.clientId !== undefined) return { client_id: this.#options.clientId };
    const kept = await this.#options.kept.read(ctx?.issuer);
    return kept?.redirectUrl === this.redirectUrl || kept?.tokens ? kept?.client : undefined;
  }

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    ctx?: OAuthClientInformationContext,
  ): Promise<void> {
    await this.#keep({ client: { ...client }, redirectUrl: this.redirectUrl }, ctx);
  }

  async tokens(ctx?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    return (await this.#options.kept.read(ctx?.issuer))?.tokens as StoredOAuthTokens | undefined;
  }

  async saveTokens(tokens: StoredOAuthTokens, ctx?: OAuthClientInformationContext): Promise<void> {
    const metadata: object = this.#discovered?.authorizationServerMetadata ?? {};
    const revocationUrl = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
    await this.#keep({ tokens: { ...tokens }, ...(typeof revocationUrl === 'string' ? { revocationUrl } : {}) }, ctx);
  }

  /** Called by the SDK instead of opening a browser: the user is asked first, by {@link finish}. */
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
    const kept = scope === 'verifier' || scope === 'discovery' ? undefined : await this.#options.kept.read();
    if (!kept) return;
    const { client, tokens: _, ...rest } = kept;
    await this.#options.kept.write({ ...rest, ...(scope === 'tokens' ? { client } : {}) });
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  /** A new sign-in begins with a new look: the server may name another issuer by now. */
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#isFinishing ? this.#discovered : undefined;
  }

  /** Whether the SDK wants the user to visit a page. */
  get isWanted(): boolean {
    return this.#page !== undefined;
  }

  /**
   * Asks the user, has the browser visit the page and hands what comes back to the transport, which gets the tokens.
   * Rejects with a {@link ServerFailure} if the user declines or the sign-in fails.
   */
  async finish(
    transport: Pick<StreamableHTTPClientTransport, 'finishAuth'>,
    events: Pick<ConnectionEvents, 'signIn'>,
    signal: AbortSignal,
  ): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    if (!page) throw new ServerFailure(declined());
    const over = new AbortController();
    const visited = this.#redirect.visited(this.#state, AbortSignal.any([signal, over.signal]));
    visited.catch(() => {});
    try {
      const issuer = this.#discovered?.authorizationServerMetadata?.issuer ?? page.origin;
      const scopes = (page.searchParams.get('scope') ?? '').split(' ').filter(Boolean).slice(0, MAX_SCOPES);
      if (!(await untilAborted(events.signIn({ issuer, page, scopes }, signal), signal)))
        throw new ServerFailure(declined());
      const params = await visited;
      if (!params.has('code') && !params.has('error')) throw new ServerFailure(declined());
      this.#isFinishing = true;
      await transport.finishAuth(params);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServerFailure) throw error;
      throw new ServerFailure(`Signing in to it failed: ${messageOf(error)}`, { cause: error });
    } finally {
      this.#isFinishing = false;
      over.abort(new Error('over'));
    }
  }

  async #keep(part: Partial<KeptSignIn>, ctx: OAuthClientInformationContext | undefined): Promise<void> {
    const issuer = ctx?.issuer ?? this.#discovered?.authorizationServerMetadata?.issuer ?? '';
    const before = await this.#options.kept.read(issuer);
    const { server } = this.#options;
    await this.#options.kept.write({ redirectUrl: this.redirectUrl, ...before, ...part, server, issuer });
  }
}
