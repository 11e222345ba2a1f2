import { readFile } from 'node:fs/promises';
import { cut } from '../../core/util/cut';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { messageOf } from '../../core/util/messageOf';
import { isObject } from '../../core/util/objects';
import type { CallOptions, Connection, ConnectionEvents, ConnectOptions, SignInOptions } from './connection';
import { type DefinedServer, readLaunch } from './definition';
import { ServerFailure } from './failure';
import { hideInForm } from './form';
import { textsForUser } from './result';
import { learnAddress, learnArguments, learnHeader, learnNamed, learnValue } from './secretValues';
import type { SignIns } from './signIns';
import { startOneByOne } from './startOneByOne';
import { learnLaunch, resolveTarget } from './target';
import type { VariableContext } from './variables';

/** How each kind of value is learned. An answer that is a password is learned where the user gives it. */
const LEARN = {
  variable: learnValue,
  answer: learnNamed,
  environment: learnNamed,
  header: learnHeader,
  address: (_: string, value: string, secrets: Pick<KnownSecrets, 'add'>) => learnAddress(value, secrets),
} as const;

/** The longest line of a server that is logged, and the longest reason for a failure that is shown. In characters. */
const MAX_LINE = 500;
const MAX_FAILURE = 600;
/**
 * How many lines of a server are logged within a minute, and how often it may say within a second how far it has
 * come.
 */
const MAX_LINES = 500;
const MAX_PROGRESS = 10;
/** How many texts of a result are shown to the user alone. */
const MAX_FOR_USER = 100;

/** The surroundings that a server's definition is resolved with. */
export interface ConnectDeps {
  /** Name → path of every workspace folder. */
  readonly folders: () => ReadonlyMap<string, string>;
  readonly home: string;
  readonly env: VariableContext['env'];
  readonly input: (server: DefinedServer, id: string) => Promise<string>;
  readonly roots: ConnectOptions['roots'];
  readonly version: string;
  /** Absent if nobody can sign in. */
  readonly signIns?: () => Promise<Pick<SignInOptions, 'redirect'> & { readonly kept: SignIns }>;
  /** Gets to know what a server is given in secret, and takes it out of all that the server says. */
  readonly secrets: KnownSecrets;
}

/**
 * Reads a server's definition, puts in its variables and starts it. Rejects with a {@link ServerFailure} if that fails.
 */
export async function connectServer(
  deps: ConnectDeps,
  server: DefinedServer,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  events: ConnectionEvents,
): Promise<Connection> {
  const read = readLaunch(server);
  if (!read.ok) throw new ServerFailure(read.reason);
  const { secrets } = deps;
  const context = contextOf(deps, server, (id) => deps.input(server, id));
  // Cut last: a part of a secret wouldn't be known.
  const hidden: ConnectionEvents = {
    ...events,
    ended: (reason) => events.ended(cut(secrets.redact(reason), MAX_FAILURE)),
    asked: (form, asked) => events.asked(hideInForm(form, secrets.redact), asked),
    log: boundedLog((line) => events.log(cut(secrets.redact(line), MAX_LINE))),
  };
  try {
    const target = await resolveTarget(read.launch, context, readText);
    // The SDK is large: a session may get by without it, and its loading is enough for one turn.
    const { connect } = await startOneByOne(() => import('./mcpClient'));
    const { roots, version } = deps;
    const signIn = target.kind === 'http' ? await signInOf(deps, server) : undefined;
    const connection = await connect({ ...options, target, roots, version, signIn }, hidden);
    return withoutSecrets(connection, secrets);
  } catch (error) {
    throw new ServerFailure(cut(secrets.redact(messageOf(error)), MAX_FAILURE));
  }
}

async function signInOf({ signIns }: ConnectDeps, server: DefinedServer): Promise<SignInOptions | undefined> {
  if (!signIns) return undefined;
  const { oauth } = server.value;
  const clientId = isObject(oauth) && typeof oauth.clientId === 'string' ? oauth.clientId : undefined;
  const { redirect, kept } = await signIns();
  return { server: server.name, redirect, kept: kept.of(server), ...(clientId === undefined ? {} : { clientId }) };
}

/**
 * Learns the secrets that a server's entry gives it, whoever runs the server: VS Code's own server may repeat them.
 * Answers that the user gives to VS Code are known to VS Code alone. Never rejects: an entry that can't be read gives
 * nothing.
 */
export async function learnEntry(
  deps: Omit<ConnectDeps, 'input' | 'roots' | 'version' | 'signIns'>,
  server: DefinedServer,
): Promise<void> {
  const read = readLaunch(server);
  const context = contextOf(deps, server, () => Promise.reject(new ServerFailure('It is asked for by who runs it.')));
  if (read.ok) await learnLaunch(read.launch, context, readText);
}

function contextOf(
  { folders, home, env, secrets }: Pick<ConnectDeps, 'folders' | 'home' | 'env' | 'secrets'>,
  { folder }: DefinedServer,
  input: VariableContext['input'],
): VariableContext {
  return {
    folder,
    folders: folders(),
    home,
    env,
    input,
    learn: (name, value, as) => LEARN[as](name, value, secrets),
    learnArguments: (args) => learnArguments(args, secrets),
  };
}

const readText = (file: string) => readFile(file, 'utf8');

/** A server that floods the log would fill memory and disk, and hide what the others say. */
function boundedLog(log: (line: string) => void): (line: string) => void {
  const hasRoom = atMost(MAX_LINES, 60_000, () =>
    log(`It writes more than ${MAX_LINES} lines a minute: the rest of them is left out.`),
  );
  return (line) => hasRoom() && log(line);
}

/** Says yes so many times within a time, in milliseconds, and tells once of each time in which there was more. */
function atMost(times: number, ms: number, onMore = () => {}): () => boolean {
  let begun = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    const now = performance.now();
    if (now - begun >= ms) {
      begun = now;
      count = 0;
    }
    if (++count === times + 1) onMore();
    return count <= times;
  };
}

/**
 * A server may tell what it was given: in its tools, in how far it has come, in what fails. Results are the
 * runner's.
 */
function withoutSecrets(connection: Connection, { redact, redactIn, hideInName }: KnownSecrets): Connection {
  const hideError = (error: unknown): never => {
    if (error instanceof Error) error.message = cut(redact(error.message), MAX_FAILURE);
    throw error;
  };
  // It is called by its name.
  const hideInTool = (tool: unknown) =>
    isObject(tool) && typeof tool.name === 'string'
      ? { ...redactIn(tool), name: hideInName(tool.name) }
      : redactIn(tool);
  const withProgress = (options: CallOptions): CallOptions => {
    const hasRoom = atMost(MAX_PROGRESS, 1_000);
    return { ...options, onProgress: (text) => hasRoom() && options.onProgress(redact(text)) };
  };
  const { pid } = connection;
  return {
    ...(pid === undefined ? {} : { pid }),
    listTools: () =>
      connection
        .listTools()
        .then((list) => ({ ...list, tools: list.tools.map(hideInTool), problems: redactIn(list.problems) }), hideError),
    async callTool(name, input, options) {
      const result = await connection.callTool(name, input, withProgress(options)).catch(hideError);
      for (const text of textsForUser(result).slice(0, MAX_FOR_USER)) options.onProgress(redact(text));
      return result;
    },
    listItems: () =>
      connection.listItems().then(
        (list) => ({
          ...list,
          // One whose address holds a secret would be kept on disk and read by models with it.
          entries: list.entries
            .filter(({ address }) => redact(address) === address)
            .map((entry) => ({ ...entry, about: redactIn(entry.about) })),
        }),
        hideError,
      ),
    readResource: (uri, options) => connection.readResource(uri, withProgress(options)).catch(hideError),
    readTemplate: (template, values, options) =>
      connection.readTemplate(template, values, withProgress(options)).catch(hideError),
    getPrompt: (name, input, options) => connection.getPrompt(name, input, withProgress(options)).catch(hideError),
    close: () => connection.close(),
  };
}
