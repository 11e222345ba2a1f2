// Stores the sign-ins to MCP servers (OAuth). Tokens are kept by server and issuer, and only in secret storage.
import * as z from 'zod/mini';
import { parseJson } from '../../../core/util/objects';
import { type DefinedServer, recipientOf } from '../config/definition';
import type { SecretStore } from '../config/secretStore';
import { revokeToken } from './issuerRequests';

const PREFIX = 'mcp.signIn:';

const schema = z.object({
  /** The server's name for users. */
  server: z.string(),
  issuer: z.string(),
  redirectUrl: z.string(),
  /** The client's registration and the tokens, in the SDK's form. */
  client: z.optional(z.looseObject({ client_id: z.string() })),
  tokens: z.optional(z.looseObject({ access_token: z.string(), token_type: z.string() })),
  revocationUrl: z.optional(z.string()),
});

/** A sign-in to one server with one issuer of tokens. */
export type KeptSignIn = z.infer<typeof schema>;

/** The stored sign-ins of one server, which is identified by its command line or address and not only by its name. */
export interface ServerSignIns {
  /** Returns the sign-in with this issuer. Without an issuer, returns the sign-in with tokens. */
  read(issuer?: string): Promise<KeptSignIn | undefined>;
  write(kept: KeptSignIn): Promise<void>;
}

/** Reads and writes the sign-ins of all servers. */
export class SignIns {
  readonly #secrets: SecretStore;
  readonly #learn: (secret: string) => void;

  /** @param learn called with each token, so that it is removed from all texts */
  constructor(secrets: SecretStore, learn: (secret: string) => void) {
    this.#secrets = secrets;
    this.#learn = learn;
  }

  of(server: Pick<DefinedServer, 'name' | 'value' | 'folder'>): ServerSignIns {
    const prefix = `${PREFIX}${recipientOf(server).id}:`;
    return {
      read: async (issuer) => {
        if (issuer !== undefined) return this.#read(`${prefix}${issuer}`);
        const kept = await this.#all(prefix);
        return kept.find(({ tokens }) => tokens !== undefined);
      },
      write: async (kept) => {
        this.#learnTokens(kept);
        const key = `${prefix}${kept.issuer}`;
        await this.#secrets.store(key, JSON.stringify(kept));
        // If the server now names another issuer, the tokens of the former one are deleted.
        const others = (await this.#secrets.keys()).filter((other) => other.startsWith(prefix) && other !== key);
        if (kept.tokens) for (const other of others) await this.#secrets.delete(other);
      },
    };
  }

  /** Returns all sign-ins with tokens. */
  async list(): Promise<readonly { readonly server: string; readonly issuer: string; readonly key: string }[]> {
    const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(PREFIX));
    const all = await Promise.all(keys.map(async (key) => ({ key, kept: await this.#read(key) })));
    return all.flatMap(({ key, kept }) => (kept?.tokens ? [{ key, server: kept.server, issuer: kept.issuer }] : []));
  }

  /** Deletes a sign-in and revokes its tokens. Resolves with false if the issuer didn't revoke them. */
  async signOut(key: string): Promise<boolean> {
    const kept = await this.#read(key);
    await this.#secrets.delete(key);
    if (!kept?.tokens) return true;
    const { revocationUrl, client, tokens } = kept;
    if (revocationUrl === undefined) return false;
    const given = [tokens.refresh_token, tokens.access_token].filter((token) => typeof token === 'string');
    const revoked = await Promise.all(given.map((token) => revokeToken(revocationUrl, token, client?.client_id ?? '')));
    return revoked.every(Boolean);
  }

  async #all(prefix: string): Promise<readonly KeptSignIn[]> {
    const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(prefix));
    return (await Promise.all(keys.map((key) => this.#read(key)))).filter((kept) => kept !== undefined);
  }

  async #read(key: string): Promise<KeptSignIn | undefined> {
    const read = schema.safeParse(parseJson((await this.#secrets.get(key)) ?? ''));
    if (read.success) this.#learnTokens(read.data);
    return read.success ? read.data : undefined;
  }

  #learnTokens({ tokens, client }: KeptSignIn): void {
    for (const secret of [tokens?.access_token, tokens?.refresh_token, client?.client_secret])
      if (typeof secret === 'string') this.#learn(secret);
  }
}
