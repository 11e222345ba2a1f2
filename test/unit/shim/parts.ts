// The classes of VS Code's API for chats and language models, for unit tests.
import type * as vscode from 'vscode';
import { MarkdownString } from './basics';

export class LanguageModelTextPart implements vscode.LanguageModelTextPart {
  value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelPromptTsxPart implements vscode.LanguageModelPromptTsxPart {
  value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export class LanguageModelDataPart implements vscode.LanguageModelDataPart {
  data: Uint8Array;
  mimeType: string;

  constructor(data: Uint8Array, mimeType: string) {
    this.data = data;
    this.mimeType = mimeType;
  }

  static image(data: Uint8Array, mimeType: string): LanguageModelDataPart {
    return new LanguageModelDataPart(data, mimeType);
  }

  static json(value: unknown, mimeType = 'text/x-json'): LanguageModelDataPart {
    return new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(value)), mimeType);
  }
}

export class LanguageModelToolCallPart implements vscode.LanguageModelToolCallPart {
  callId: string;
  name: string;
  input: object;

  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}

export class LanguageModelToolResultPart implements vscode.LanguageModelToolResultPart {
  callId: string;
  content: unknown[];

  constructor(callId: string, content: unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}

export class LanguageModelToolResult implements vscode.LanguageModelToolResult {
  content: unknown[];

  constructor(content: unknown[]) {
    this.content = content;
  }
}

export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 } as const;
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 } as const;

type Content = vscode.LanguageModelChatMessage['content'];

export class LanguageModelChatMessage implements vscode.LanguageModelChatMessage {
  readonly name = undefined;
  role: vscode.LanguageModelChatMessageRole;
  content: Content;

  constructor(role: vscode.LanguageModelChatMessageRole, content: string | Content) {
    this.role = role;
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
  readonly code: string;

  constructor(message?: string, code = '') {
    super(message);
    this.code = code;
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
  readonly prompt: string;
  readonly command: string | undefined;

  constructor(prompt: string, command?: string) {
    this.prompt = prompt;
    this.command = command;
  }
}

export class ChatResponseTurn implements Pick<vscode.ChatResponseTurn, 'response' | 'result' | 'command'> {
  readonly response: readonly vscode.ChatResponseMarkdownPart[];
  readonly result: vscode.ChatResult;
  readonly command: string | undefined;

  constructor(response: readonly ChatResponseMarkdownPart[], result: vscode.ChatResult, command?: string) {
    this.response = response as unknown as readonly vscode.ChatResponseMarkdownPart[];
    this.result = result;
    this.command = command;
  }
}

export class ChatResponseMarkdownPart {
  readonly value: MarkdownString;

  constructor(value: string) {
    this.value = new MarkdownString(value);
  }
}
