// The interface between our own MCP client and the code that uses its connections. It doesn't depend on the MCP SDK.

import type { Tool } from '../../../core/catalog/tool';
import type { ToolRun } from '../../../core/ports';
import type { Target } from '../config/resolveEntry';
import type { SignInOptions, SignInRequest } from '../signIn/serverSignIn';
import type { Form, FormAnswer } from './elicitationForm';
import type { ServerList } from './listAll';

/** The options of a request to a server. */
export interface CallOptions {
  /** Cancels the call. The caller is responsible for a timeout. */
  readonly signal: AbortSignal;
  /** Called with the server's progress messages, and with texts of a result that are only for the user. */
  readonly onProgress: (text: string) => void;
}

/** The options of a tool call, which may first start the server. */
export interface RunOptions extends CallOptions {
  /**
   * Called when the server's newest list of tools is known, for which calls don't wait without this function. Returns
   * why the tool must not be called; undefined if it may be.
   */
  readonly refusal?: (() => ToolRun | undefined) | undefined;
}

/** A connection to a running server. Methods reject with a {@link ServerFailure} for expected errors. */
export interface Connection {
  listTools(): Promise<ServerList>;
  /** Returns the server's resources, resource templates and prompts; an empty list if it declares none. */
  listItems(): Promise<ServerList<ListedItem>>;
  /**
   * Calls a tool, reads a resource or gets a prompt. Returns the answer as the server sent it, unchecked. The message of
   * a rejection continues a sentence that begins with the tool's name.
   */
  call(
    tool: Tool,
    input: { readonly [name: string]: unknown },
    options: CallOptions,
  ): Promise<{ readonly [key: string]: unknown }>;
  /** Closes the connection and ends the server's processes. Never rejects. */
  close(): Promise<void>;
}

/** A resource, a resource template or a prompt in a server's list. */
export interface ListedItem {
  readonly kind: 'resource' | 'template' | 'prompt';
  /** The server's identifier for it: a URI, a template or a name. */
  readonly address: string;
  /** The list entry as the server sent it, unchecked. */
  readonly about: { readonly [key: string]: unknown };
}

/** Functions that a connection calls. */
export interface ConnectionEvents {
  toolsChanged(): void;
  /** Called when the server reports a change of its resources or prompts. */
  itemsChanged(): void;
  /** Called when the connection ends without {@link Connection.close}. The reason is a sentence. */
  ended(reason: string): void;
  /** Asks the user for information that the server wants. The signal aborts when the server no longer needs it. */
  asked(form: Form, signal: AbortSignal): Promise<FormAnswer>;
  /** Asks the user to sign in, and opens the page. Resolves with false if the user declines. */
  signIn(request: SignInRequest, signal: AbortSignal): Promise<boolean>;
  log(line: string): void;
}

export interface ConnectOptions {
  /** The name of the file with the server's entry, for people. */
  readonly file: string;
  readonly target: Target;
  readonly timeoutMs: number;
  /** Cancels the start. */
  readonly signal: AbortSignal;
  /** Returns the URIs of the workspace folders, which a server may request. */
  readonly roots: () => readonly { readonly uri: string; readonly name: string }[];
  /** The extension's version, which is sent to the server. */
  readonly version: string;
  /** The data for signing in; undefined if the user can't sign in here. */
  readonly signIn?: SignInOptions | undefined;
}
