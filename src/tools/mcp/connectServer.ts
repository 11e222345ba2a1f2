import { readFile } from 'node:fs/promises';
import type { Connection, ConnectionEvents, ConnectOptions } from './connection';
import { type DefinedServer, readLaunch } from './definition';
import { ServerFailure } from './failure';
import { resolveTarget } from './target';
import type { VariableContext } from './variables';

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
  const context: VariableContext = { folder: server.folder, folders: world.folders(), home, env, input: (id) => world.input(server, id) };
  const target = await resolveTarget(read.launch, context, (file) => readFile(file, 'utf8'));
  // The SDK is large, and a session may get by without it.
  const { connect } = await import('./mcpClient');
  return connect({ ...options, target, roots: world.roots, version: world.version }, events);
}
