import { readFile } from 'node:fs/promises';
import type { Connection, ConnectionEvents, ConnectOptions } from './connection';
import { type DefinedServer, readLaunch } from './definition';
import { messageOf, ServerFailure } from './failure';
import { startOneByOne } from './startOneByOne';
import { resolveTarget } from './target';
import type { VariableContext } from './variables';

/** A shorter answer is no secret, and stands in many a word. In characters. */
const MIN_SECRET = 4;

/** What a server's definition is resolved with. */
export interface ConnectWorld {
  /** Name → path of every workspace folder. */
  readonly folders: () => ReadonlyMap<string, string>;
  readonly home: string;
  readonly env: VariableContext['env'];
  readonly input: (server: DefinedServer, id: string) => Promise<string>;
  readonly roots: ConnectOptions['roots'];
  readonly version: string;
}

/** Reads a server's definition, puts in its variables and starts it. Rejects with a {@link ServerFailure} where that fails. */
export async function connectServer(
  world: ConnectWorld,
  server: DefinedServer,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  events: ConnectionEvents,
): Promise<Connection> {
  const read = readLaunch(server);
  if (!read.ok) throw new ServerFailure(read.reason);
  const { home, env } = world;
  const secrets = new Set<string>();
  const input = async (id: string) => {
    const answer = await world.input(server, id);
    secrets.add(answer);
    return answer;
  };
  const context: VariableContext = { folder: server.folder, folders: world.folders(), home, env, input };
  const target = await resolveTarget(read.launch, context, (file) => readFile(file, 'utf8'));
  // The SDK is large: a session may get by without it, and its loading is enough for one turn.
  const { connect } = await startOneByOne(() => import('./mcpClient'));
  const hidden: ConnectionEvents = {
    toolsChanged: events.toolsChanged,
    ended: (reason) => events.ended(hide(reason, secrets)),
    log: (line) => events.log(hide(line, secrets)),
  };
  try {
    return await connect({ ...options, target, roots: world.roots, version: world.version }, hidden);
  } catch (error) {
    throw new ServerFailure(hide(messageOf(error), secrets));
  }
}

/** Servers write what they were given into their logs; what the user answered isn't for ours. */
function hide(text: string, secrets: ReadonlySet<string>): string {
  return [...secrets].filter((secret) => secret.length >= MIN_SECRET).reduce((hidden, secret) => hidden.replaceAll(secret, '•••'), text);
}
