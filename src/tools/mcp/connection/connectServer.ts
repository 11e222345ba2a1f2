// Starts a server from its definition: learns its secrets, resolves its variables and removes secrets from what it
// sends.

import { cut } from '../../../core/util/cut';
import type { KnownSecrets } from '../../../core/util/knownSecrets';
import { messageOf } from '../../../core/util/messageOf';
import { isObject } from '../../../core/util/objects';
import { oneLine } from '../../../core/util/plainText';
import { readRegularFile } from '../../../vscode/regularFile';
import { type DefinedServer, fileOf, readLaunch } from '../config/definition';
import { learnLaunch, resolveTarget, variablesInFile } from '../config/resolveEntry';
import { learnAddress, learnArguments, learnHeader, learnNamed, learnValue } from '../config/secretValues';
import { ServerFailure } from '../config/serverFailure';
import type { VariableContext } from '../config/variables';
import type { SignInOptions } from '../signIn/serverSignIn';
import type { SignIns } from '../signIn/signInStore';
import { createRateLimit } from '../transport/rateLimit';
import { startOneByOne } from '../transport/startOneByOne';
import { textsForUser } from './callResult';
import type { CallOptions, Connection, ConnectionEvents, ConnectOptions } from './connection';
import { hideInForm } from './elicitationForm';

/** Finds the secrets in a value of each kind. Passwords that the user types are known as secrets already. */
const LEARN = {
  variable: learnValue,
  answer: learnNamed,
  environment: learnNamed,
  header: learnHeader,
  address: (_: string, value: string, secrets: Pick<KnownSecrets, 'add'>) => learnAddress(value, secrets),
} as const;

/** The maximum lengths of a server's log line and of the reason for a failure, in characters. */
const MAX_LINE = 500;
const MAX_FAILURE = 600;
/** The maximum number of log lines of a server in a minute, and of its progress messages in a second. */
const MAX_LINES = 500;
const MAX_PROGRESS = 10;
/** The maximum number of texts of a result that are shown only to the user. */
const MAX_FOR_USER = 100;

/** The values and functions that are needed to start a server. */
export interface ConnectDeps {
  /** Name → path of every workspace folder. */
  readonly folders: () => ReadonlyMap<string, string>;
  readonly home: string;
  readonly env: VariableContext['env'];
  readonly input: (server: DefinedServer, id: string) => Promise<string>;
  /** The folders and the version of this window, which servers get. */
  readonly window: Pick<ConnectOptions, 'roots' | 'version'>;
  /** The data for signing in; undefined if the user can't sign in here. */
  readonly signIns?: () => Promise<Pick<SignInOptions, 'redirect'> & { readonly kept: SignIns }>;
  /** Collects the secrets that a server is given, and removes them from everything that the server sends. */
  readonly secrets: KnownSecrets;
}

/** Reads a server's definition, replaces its variables and starts it, or rejects with a {@link ServerFailure}. */
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
  // Texts are cut after secrets are removed, since a part of a secret can't be recognized.
  const hidden: ConnectionEvents = {
    ...events,
    ended: (reason) => events.ended(cut(secrets.redact(reason), MAX_FAILURE)),
    asked: (form, asked) => events.asked(hideInForm(form, secrets.redact), asked),
    log: boundedLog((line) => events.log(cut(oneLine(secrets.redact(line)), MAX_LINE))),
  };
  try {
    const target = await resolveTarget(read.launch, context, readText);
    // The SDK is large, so it is loaded with the first server, and not at the same time as other work.
    const { connect } = await startOneByOne(() => import('./chooseTransport'));
    const { roots, version } = deps.window;
    const signIn = target.kind === 'http' ? await signInOf(deps, server, target.url) : undefined;
    const connection = await connect({ ...options, file: fileOf(server), target, roots, version, signIn }, hidden);
    return withoutSecrets(connection, secrets);
  } catch (error) {
    throw new ServerFailure(cut(secrets.redact(messageOf(error)), MAX_FAILURE));
  }
}

async function signInOf(
  { signIns }: ConnectDeps,
  { name, value: { oauth } }: DefinedServer,
  url: URL,
): Promise<SignInOptions | undefined> {
  if (!signIns) return undefined;
  const clientId = isObject(oauth) && typeof oauth.clientId === 'string' ? oauth.clientId : undefined;
  const { redirect, kept } = await signIns();
  return { server: name, redirect, kept: kept.of(name, url), ...(clientId === undefined ? {} : { clientId }) };
}

/**
 * Learns the secrets in a server's entry. This is also done for servers that VS Code runs, since their results may
 * contain the secrets. Answers that the user gave to VS Code are unknown here. Never rejects: an entry that can't be
 * read is skipped.
 */
export async function learnEntry(
  deps: Pick<ConnectDeps, 'folders' | 'home' | 'env' | 'secrets'>,
  server: DefinedServer,
): Promise<void> {
  const read = readLaunch(server);
  if (read.ok) await learnLaunch(read.launch, contextOf(deps, server), readText);
}

/** Returns the variables that a server gets from its `envFile`; none if it can't be read, and so can't start. */
export async function fileVariablesOf(
  deps: Parameters<typeof learnEntry>[0],
  server: DefinedServer,
): Promise<{ readonly [name: string]: string }> {
  const read = readLaunch(server);
  return read.ok ? variablesInFile(read.launch, contextOf(deps, server), readText).catch(() => ({})) : {};
}

function contextOf(
  { folders, home, env, secrets }: Pick<ConnectDeps, 'folders' | 'home' | 'env' | 'secrets'>,
  { folder, label }: DefinedServer,
  input: VariableContext['input'] = () => Promise.reject(new ServerFailure('It is asked for at the start.')),
): VariableContext {
  return {
    file: fileOf({ label }),
    folder,
    folders: folders(),
    home,
    env,
    input,
    learn: (name, value, as) => LEARN[as](name, value, secrets),
    learnArguments: (args) => learnArguments(args, secrets),
  };
}

/** In bytes. */
const MAX_ENV_FILE = 1_000_000;
const readText = (file: string) => readRegularFile(file, MAX_ENV_FILE);

/** Returns a log that drops lines above the limit. They would fill memory and disk, and hide other servers' lines. */
function boundedLog(log: (line: string) => void): (line: string) => void {
  const isWithinLimit = createRateLimit({ count: MAX_LINES });
  let isFull = false;
  return (line) => {
    const hasRoom = isWithinLimit();
    if (hasRoom) log(line);
    else if (!isFull) log(`It writes more than ${MAX_LINES} lines a minute: the rest of them is left out.`);
    isFull = !hasRoom;
  };
}

/** Returns a connection that removes secrets from all that a server sends but results, from which the caller does. */
function withoutSecrets(connection: Connection, { redact, redactIn, hideInName }: KnownSecrets): Connection {
  const hideError = (error: unknown): never => {
    if (error instanceof Error) error.message = cut(redact(error.message), MAX_FAILURE);
    throw error;
  };
  // A tool is called by its name, so the name is treated separately.
  const hideInTool = (tool: unknown) =>
    isObject(tool) && typeof tool.name === 'string'
      ? { ...redactIn(tool), name: hideInName(tool.name) }
      : redactIn(tool);
  const withProgress = (options: CallOptions): CallOptions => {
    const isWithinLimit = createRateLimit({ count: MAX_PROGRESS, ms: 1_000 });
    return { ...options, onProgress: (text) => isWithinLimit() && options.onProgress(redact(text)) };
  };
  return {
    async listTools() {
      const list = await connection.listTools().catch(hideError);
      return { ...list, entries: list.entries.map(hideInTool), problems: redactIn(list.problems) };
    },
    async call(tool, input, options) {
      const result = await connection.call(tool, input, withProgress(options)).catch(hideError);
      for (const text of textsForUser(result).slice(0, MAX_FOR_USER)) options.onProgress(redact(text));
      return result;
    },
    async listItems() {
      const list = await connection.listItems().catch(hideError);
      // A secret in an address would be stored on disk and sent to models.
      const entries = list.entries.filter(({ address }) => redact(address) === address);
      return { ...list, entries: entries.map((entry) => ({ ...entry, about: redactIn(entry.about) })) };
    },
    close: () => connection.close(),
  };
}
