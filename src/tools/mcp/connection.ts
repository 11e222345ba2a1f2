import type { ToolRun } from '../../core/ports';
import type { Form, FormAnswer } from './form';
import type { SignInRedirect } from './signInRedirect';
import type { ServerSignIns } from './signIns';
import type { Target } from './target';

/** How a tool is called. */
interface CallOptions {
  /** Ends the call: the clock is the caller's. */
  readonly signal: AbortSignal;
  /** Hears how far the server says it has come, and what a result says to the user alone. */
  readonly onProgress: (text: string) => void;
}

/** How a tool is run, its server's start included. */
export interface RunOptions extends CallOptions {
  /** Why it must not be called, asked once what its server lists now is known; absent where that is never so and isn't waited for. */
  readonly refusal?: (() => ToolRun | undefined) | undefined;
}

/** A running server that has been greeted. Methods reject with a {@link ServerFailure} for what is expected to go wrong. */
export interface Connection {
  /** Every tool, as the server lists it, unchecked; `problems` are sentences on how it went. */
  listTools(): Promise<{ readonly tools: readonly unknown[]; readonly problems: readonly string[] }>;
  /** The result as the server sent it, unchecked. Rejects with what completes a sentence that begins with the tool's name. */
  callTool(
    name: string,
    input: { readonly [name: string]: unknown },
    options: CallOptions,
  ): Promise<{ readonly [key: string]: unknown }>;
  /** Ends it, its processes included. Never rejects. */
  close(): Promise<void>;
}

/** What a connection reports. */
export interface ConnectionEvents {
  /** The server says that its tools have changed. */
  toolsChanged(): void;
  /** It ended without having been closed; the sentence says how. */
  ended(reason: string): void;
  /** It wants to know something of the user; the signal says that it doesn't any more. */
  asked(form: Form, signal: AbortSignal): Promise<FormAnswer>;
  /** Asks whether the user wants to sign in, and opens the page. Resolves with false if the user declines. */
  signIn(request: SignInRequest, signal: AbortSignal): Promise<boolean>;
  /** What the server says for a log. */
  log(line: string): void;
}

/** A sign-in that a server asks for. Its page and scopes come from strangers. */
export interface SignInRequest {
  /** Who issues the tokens: an address. */
  readonly issuer: string;
  readonly page: URL;
  readonly scopes: readonly string[];
}

/** What a sign-in needs. */
export interface SignInOptions {
  /** The server's name. */
  readonly server: string;
  /** `oauth.clientId` of `mcp.json`; without it the client registers itself. */
  readonly clientId?: string;
  readonly kept: ServerSignIns;
  /** Where browsers come back to: one for the window, opened when it is first needed. */
  readonly redirect: () => Promise<SignInRedirect>;
}

/** What a connection is made with. */
export interface ConnectOptions {
  readonly target: Target;
  readonly timeoutMs: number;
  /** Gives the start up. */
  readonly signal: AbortSignal;
  /** URIs of the workspace's folders, for servers that ask for them. */
  readonly roots: () => readonly { readonly uri: string; readonly name: string }[];
  /** Version of the extension, which the client presents itself with. */
  readonly version: string;
  /** Absent if nobody can sign in. */
  readonly signIn?: SignInOptions | undefined;
}
