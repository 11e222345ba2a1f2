import { readFile } from 'node:fs/promises';
import type { KnownSecrets } from '../../core/text/knownSecrets';
import type { Connection, ConnectionEvents, ConnectOptions } from './connection';
import { type DefinedServer, readLaunch } from './definition';
import { messageOf, ServerFailure } from './failure';
import { learnHeader, learnNamed, learnValue } from './secretValues';
import { startOneByOne } from './startOneByOne';
import { resolveTarget } from './target';
import type { VariableContext } from './variables';

/** An answer that is a password is learned where it is given. */
const LEARN = { variable: learnValue, answer: learnNamed, environment: learnNamed, header: learnHeader } as const;

/** What a server's definition is resolved with. */
export interface ConnectDeps {
  /** Name → path of every workspace folder. */
  readonly folders: () => ReadonlyMap<string, string>;
  readonly home: string;
  readonly env: VariableContext['env'];
  readonly input: (server: DefinedServer, id: string) => Promise<string>;
  readonly roots: ConnectOptions['roots'];
  readonly version: string;
  /** Gets to know what a server is given in secret, and takes it out of all that the server says. */
  readonly secrets: KnownSecrets;
}

/** Reads a server's definition, puts in its variables and starts it. Rejects with a {@link ServerFailure} where that fails. */
export async function connectServer(
  deps: ConnectDeps,
  server: DefinedServer,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  events: ConnectionEvents,
): Promise<Connection> {
  const read = readLaunch(server);
  if (!read.ok) throw new ServerFailure(read.reason);
  const { home, env, secrets } = deps;
  const context: VariableContext = {
    folder: server.folder,
    folders: deps.folders(),
    home,
    env,
    input: (id) => deps.input(server, id),
    learn: (name, value, as) => LEARN[as](name, value, secrets),
  };
  const target = await resolveTarget(read.launch, context, (file) => readFile(file, 'utf8'));
  // The SDK is large: a session may get by without it, and its loading is enough for one turn.
  const { connect } = await startOneByOne(() => import('./mcpClient'));
  const hidden: ConnectionEvents = {
    ...events,
    ended: (reason) => events.ended(secrets.hide(reason)),
    log: (line) => events.log(secrets.hide(line)),
  };
  try {
    const connection = await connect({ ...options, target, roots: deps.roots, version: deps.version }, hidden);
    return withoutSecrets(connection, secrets);
  } catch (error) {
    throw new ServerFailure(secrets.hide(messageOf(error)));
  }
}

/** A server may tell what it was given: in its tools, in how far it has come, in what fails. Results are the runner's. */
function withoutSecrets(connection: Connection, { hide, hideIn }: KnownSecrets): Connection {
  const hideError = (error: unknown): never => {
    if (error instanceof Error) error.message = hide(error.message);
    throw error;
  };
  return {
    listTools: () => connection.listTools().then(hideIn, hideError),
    callTool: (name, input, options) =>
      connection.callTool(name, input, { ...options, onProgress: (text) => options.onProgress(hide(text)) }).catch(hideError),
    close: () => connection.close(),
  };
}
