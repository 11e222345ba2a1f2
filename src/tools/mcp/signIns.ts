// Sign-ins to MCP servers (OAuth) as they are kept: tokens by server and issuer, in secret storage alone.
import * as z from 'zod/mini';
import { parseJson } from '../../core/util/objects';
import { type DefinedServer, recipientOf } from './definition';
import { revokeToken } from './issuerRequests';

/** Secret storage, which can list its keys. */
interface SignInSecrets {
  keys(): PromiseLike<readonly string[]>;
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

const PREFIX = 'mcp.signIn:';

const schema = z.object({
  /** The server's name, for people. */
  server: z.string(),
  issuer: z.string(),
  redirectUrl: z.string(),
  /** As the SDK hands it over: the client's registration and the tokens. */
  client: z.optional(z.looseObject({ client_id: z.string() })),
  tokens: z.optional(z.looseObject({ access_token: z.string(), token_type: z.string() })),
  revocationUrl: z.optional(z.string()),
});

/** One server's sign-in with one issuer. */
export type KeptSignIn = z.infer<typeof schema>;

/** The part of secret storage that belongs to one server: its command line or address, not only its name. */
export interface ServerSignIns {
  /** The one with tokens if no issuer is given. */
  read(issuer?: string): Promise<KeptSignIn | undefined>;
  write(kept: KeptSignIn): Promise<void>;
  forget(issuer: string): Promise<void>;
}

/** Reads and writes the sign-ins of all servers. */
export class SignIns {
  readonly #secrets: SignInSecrets;
  readonly #learn: (secret: string) => void;

  /** @param learn gets to know each token, so that it is redacted wherever it appears */
  constructor(secrets: SignInSecrets, learn: (secret: string) => void) {
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
        // A server that names another issuer takes the new one's tokens alone.
        const others = (await this.#secrets.keys()).filter((other) => other.startsWith(prefix) && other !== key);
        if (kept.tokens) for (const other of others) await this.#secrets.delete(other);
      },
      forget: async (issuer) => this.#secrets.delete(`${prefix}${issuer}`),
    };
  }

  /** Every sign-in that has tokens. */
  async list(): Promise<readonly { readonly server: string; readonly issuer: string; readonly key: string }[]> {
    const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(PREFIX));
    const all = await Promise.all(keys.map(async (key) => ({ key, kept: await this.#read(key) })));
    return all.flatMap(({ key, kept }) => (kept?.tokens ? [{ key, server: kept.server, issuer: kept.issuer }] : []));
  }

  /** Forgets a sign-in and has its tokens revoked. Resolves with false if the issuer didn't revoke them. */
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
