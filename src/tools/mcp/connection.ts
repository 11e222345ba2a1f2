import type { ToolRun } from '../../core/ports';
import type { Form, FormAnswer } from './form';
import type { ToolList } from './listAllTools';
import type { SignInRedirect } from './signInRedirect';
import type { ServerSignIns } from './signIns';
import type { Target } from './target';

/** How a server is asked for the result of a tool, or for what it has. */
export interface CallOptions {
  /** Ends the call: the clock is the caller's. */
  readonly signal: AbortSignal;
  /** Hears how far the server says it has come, and what a result says to the user alone. */
  readonly onProgress: (text: string) => void;
}

/** How a tool is run, its server's start included. */
export interface RunOptions extends CallOptions {
  /**
   * Returns why the tool must not be called. It is asked once the server's newest list is known. Absent if there is
   * never a reason: then nothing waits for the list.
   */
  readonly refusal?: (() => ToolRun | undefined) | undefined;
}

/**
 * A running server that has been greeted. Methods reject with a {@link ServerFailure} for what is expected to go
 * wrong.
 */
export interface Connection {
  /** The process group of a server on this machine; absent over HTTP. */
  readonly pid?: number;
  listTools(): Promise<ToolList>;
  /** What it has beside tools; nothing if it says that it has none. */
  listItems(): Promise<ItemList>;
  /**
   * The result as the server sent it, unchecked. Rejects with what completes a sentence that begins with the tool's
   * name.
   */
  callTool(
    name: string,
    input: { readonly [name: string]: unknown },
    options: CallOptions,
  ): Promise<{ readonly [key: string]: unknown }>;
  /** The contents of a resource, unchecked. Rejects as {@link callTool} does. */
  readResource(uri: string, options: CallOptions): Promise<{ readonly [key: string]: unknown }>;
  /** The contents of the resource that a template and the values of its variables name. Rejects as {@link callTool} does. */
  readTemplate(
    template: string,
    values: { readonly [name: string]: unknown },
    options: CallOptions,
  ): Promise<{ readonly [key: string]: unknown }>;
  /** The messages of a prompt, unchecked. Rejects as {@link callTool} does. */
  getPrompt(
    name: string,
    input: { readonly [name: string]: unknown },
    options: CallOptions,
  ): Promise<{ readonly [key: string]: unknown }>;
  /** Ends it, its processes included. Never rejects. */
  close(): Promise<void>;
}

/** Something that a server lists beside its tools. */
export interface ListedItem {
  readonly kind: 'resource' | 'template' | 'prompt';
  /** The URI, the template or the name by which the server knows it. */
  readonly address: string;
  /** The entry as the server sent it, unchecked. */
  readonly about: { readonly [key: string]: unknown };
}

/** All that a server lists beside its tools. */
export interface ItemList extends Omit<ToolList, 'tools'> {
  readonly entries: readonly ListedItem[];
}

/** The events that a connection reports. */
export interface ConnectionEvents {
  /** The server says that its tools have changed. */
  toolsChanged(): void;
  /** The server says that its resources or prompts have changed. */
  itemsChanged(): void;
  /** It ended without having been closed; the sentence says how. */
  ended(reason: string): void;
  /** Asks the user for what the server wants to know. The signal aborts when the server no longer needs it. */
  asked(form: Form, signal: AbortSignal): Promise<FormAnswer>;
  /** Asks whether the user wants to sign in, and opens the page. Resolves with false if the user declines. */
  signIn(request: SignInRequest, signal: AbortSignal): Promise<boolean>;
  /** A line for the log. */
  log(line: string): void;
}

/** A sign-in that a server asks for. Its page and scopes come from strangers. */
export interface SignInRequest {
  /** The address of the issuer of the tokens. */
  readonly issuer: string;
  readonly page: URL;
  readonly scopes: readonly string[];
}

/** The parts of a window that a sign-in uses. */
export interface SignInOptions {
  /** The server's name. */
  readonly server: string;
  /** `oauth.clientId` of `mcp.json`; without it the client registers itself. */
  readonly clientId?: string;
  readonly kept: ServerSignIns;
  /** The address that browsers come back to: one for the window, opened when it is first needed. */
  readonly redirect: () => Promise<SignInRedirect>;
}

/** The options of a new connection. */
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
