// The classes of VS Code's API for chats and language models, for unit tests.
import type * as vscode from 'vscode';
import { MarkdownString } from './basics';

export class LanguageModelTextPart implements vscode.LanguageModelTextPart {
  constructor(public value: string) {}
}

export class LanguageModelPromptTsxPart implements vscode.LanguageModelPromptTsxPart {
  constructor(public value: unknown) {}
}

export class LanguageModelDataPart implements vscode.LanguageModelDataPart {
  constructor(
    public data: Uint8Array,
    public mimeType: string,
  ) {}

  static image(data: Uint8Array, mimeType: string): LanguageModelDataPart {
    return new LanguageModelDataPart(data, mimeType);
  }

  static json(value: unknown, mimeType = 'text/x-json'): LanguageModelDataPart {
    return new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(value)), mimeType);
  }
}

export class LanguageModelToolCallPart implements vscode.LanguageModelToolCallPart {
  constructor(
    public callId: string,
    public name: string,
    public input: object,
  ) {}
}

export class LanguageModelToolResultPart implements vscode.LanguageModelToolResultPart {
  constructor(
    public callId: string,
    public content: unknown[],
  ) {}
}

export class LanguageModelToolResult implements vscode.LanguageModelToolResult {
  constructor(public content: unknown[]) {}
}

export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 } as const;
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 } as const;

type Content = vscode.LanguageModelChatMessage['content'];

export class LanguageModelChatMessage implements vscode.LanguageModelChatMessage {
  readonly name = undefined;
  content: Content;

  constructor(
    public role: vscode.LanguageModelChatMessageRole,
    content: string | Content,
  ) {
    this.content = typeof content === 'string' ? [new LanguageModelTextPart(content)] : content;
  }

  static User(content: string | Content): LanguageModelChatMessage {
    return new LanguageModelChatMessage(LanguageModelChatMessageRole.User, content);
  }

  static Assistant(content: string | Content): LanguageModelChatMessage {
    return new LanguageModelChatMessage(LanguageModelChatMessageRole.Assistant, content);
  }
}

/** Made as VS Code makes it: the code is the name of the called factory. */
export class LanguageModelError extends Error implements vscode.LanguageModelError {
  constructor(
    message?: string,
    readonly code = '',
  ) {
    super(message);
  }

  static NoPermissions(message?: string): LanguageModelError {
    return new LanguageModelError(message, LanguageModelError.NoPermissions.name);
  }

  static NotFound(message?: string): LanguageModelError {
    return new LanguageModelError(message, LanguageModelError.NotFound.name);
  }

  static Blocked(message?: string): LanguageModelError {
    return new LanguageModelError(message, LanguageModelError.Blocked.name);
  }
}

export class ChatRequestTurn implements Pick<vscode.ChatRequestTurn, 'prompt' | 'command'> {
  constructor(
    readonly prompt: string,
    readonly command?: string,
  ) {}
}

export class ChatResponseTurn implements Pick<vscode.ChatResponseTurn, 'response' | 'result' | 'command'> {
  readonly response: readonly vscode.ChatResponseMarkdownPart[];

  constructor(
    response: readonly ChatResponseMarkdownPart[],
    readonly result: vscode.ChatResult,
    readonly command?: string,
  ) {
    this.response = response as unknown as readonly vscode.ChatResponseMarkdownPart[];
  }
}

export class ChatResponseMarkdownPart {
  readonly value: MarkdownString;

  constructor(value: string) {
    this.value = new MarkdownString(value);
  }
}
