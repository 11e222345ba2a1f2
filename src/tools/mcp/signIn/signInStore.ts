// Stores the sign-ins to MCP servers (OAuth). Tokens are kept by server, address and issuer, and only in secret storage.
import * as z from 'zod/mini';
import { parseJson } from '../../../core/util/objects';
import { hashOf } from '../config/definition';
import type { SecretStore } from '../config/secretStore';
import { revokeToken } from './issuerRequests';

const PREFIX = 'mcp.signIn:';

const schema = z.object({
  /** The server's name for users. */
  server: z.string(),
  issuer: z.string(),
  /** The client's registration and the tokens, in the SDK's form. */
  client: z.optional(z.looseObject({ client_id: z.string() })),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }),
  revocationUrl: z.optional(z.string()),
});

/** A sign-in to one server with one issuer of tokens. */
type KeptSignIn = z.infer<typeof schema>;

/** The stored sign-in of one server at one address. */
export interface ServerSignIns {
  /** Returns the sign-in. With an issuer, returns undefined if another one issued its tokens. */
  read(issuer?: string): Promise<KeptSignIn | undefined>;
  write(kept: KeptSignIn): Promise<void>;
  forget(): Promise<void>;
}

export class SignIns {
  readonly #secrets: SecretStore;
  readonly #learn: (secret: string) => void;

  /** @param learn called with each token, so that it is removed from all texts */
  constructor(secrets: SecretStore, learn: (secret: string) => void) {
    this.#secrets = secrets;
    this.#learn = learn;
  }

  /**
   * Returns the sign-in of a server at an address.
   * @param url the address without variables: the same entry can lead to several hosts, and a token is for one
   */
  of(server: string, url: URL): ServerSignIns {
    const key = `${PREFIX}${hashOf([server, url.href])}`;
    return {
      read: async (issuer) => {
        const kept = await this.#read(key);
        return issuer === undefined || kept?.issuer === issuer ? kept : undefined;
      },
      // If the server now names another issuer, this replaces the tokens of the former one.
      write: async (kept) => {
        this.#learnTokens(kept);
        await this.#secrets.store(key, JSON.stringify(kept));
      },
      forget: async () => this.#secrets.delete(key),
    };
  }

  /** Returns all sign-ins. */
  async list(): Promise<readonly { readonly server: string; readonly issuer: string; readonly key: string }[]> {
    const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(PREFIX));
    const all = await Promise.all(keys.map(async (key) => ({ key, kept: await this.#read(key) })));
    return all.flatMap(({ key, kept }) => (kept ? [{ key, server: kept.server, issuer: kept.issuer }] : []));
  }

  /** Deletes a sign-in and revokes its tokens. Resolves with false if the issuer didn't revoke them. */
  async signOut(key: string): Promise<boolean> {
    const kept = await this.#read(key);
    await this.#secrets.delete(key);
    if (!kept) return true;
    const { issuer, revocationUrl, client, tokens } = kept;
    if (revocationUrl === undefined) return false;
    const clientId = client?.client_id ?? '';
    const given = [tokens.refresh_token, tokens.access_token].filter((token) => typeof token === 'string');
    const revoked = await Promise.all(given.map((token) => revokeToken(issuer, revocationUrl, token, clientId)));
    return revoked.every(Boolean);
  }

  async #read(key: string): Promise<KeptSignIn | undefined> {
    const read = schema.safeParse(parseJson((await this.#secrets.get(key)) ?? ''));
    if (read.success) this.#learnTokens(read.data);
    return read.success ? read.data : undefined;
  }

  #learnTokens({ tokens, client }: KeptSignIn): void {
    for (const secret of [tokens.access_token, tokens.refresh_token, client?.client_secret])
      if (typeof secret === 'string') this.#learn(secret);
  }
}
