import type * as vscode from 'vscode';

/** Records a chat's answer: each part as `kind: text`, in order. */
export class TestStream {
  readonly parts: string[] = [];
  readonly buttons: vscode.Command[] = [];

  markdown(value: string | vscode.MarkdownString): void {
    this.parts.push(`markdown: ${(typeof value === 'string' ? value : value.value).trim()}`);
  }

  progress(value: string): void {
    this.parts.push(`progress: ${value}`);
  }

  button(button: vscode.Command): void {
    this.parts.push(`button: ${button.command}`);
    this.buttons.push(button);
  }

  /** The parts that VS Code leaves visible: it folds away everything before the last progress. */
  get inSight(): readonly string[] {
    return this.parts.slice(this.parts.findLastIndex((part) => part.startsWith('progress:')) + 1);
  }

  get asVscode(): vscode.ChatResponseStream {
    return this as unknown as vscode.ChatResponseStream;
  }
}
