import * as vscode from 'vscode';
import { CANCELLED_BEFORE, type PendingCall, type ToolRun, toolMessage } from '../../core/ports';
import { messageOf } from '../../core/util/messageOf';
import { withToken } from '../../vscode/cancellation';
import { chatOf, toResult } from '../agents/languageModelTools';
import { ConfirmationQueue, type QueuedCall } from './confirmationQueue';

/**
 * The tool's name in package.json. Its entry there prevents VS Code from offering “Allow in this Session”: that would
 * allow every tool.
 */
const CONFIRM_TOOL = 'toolsearch_confirm_call';

/**
 * Lets VS Code ask the user about calls that the extension runs itself. VS Code asks only about tools registered with
 * it. Calls therefore go through a tool of ours whose confirmation shows the real one. No model gets that tool. Each
 * chat has one question at a time.
 */
export class ChatConfirmations implements vscode.Disposable {
  readonly #asked = new Map<
    number,
    { readonly calls: readonly QueuedCall[]; readonly run: () => Promise<readonly ToolRun[]> }
  >();
  readonly #lines = new Map<string, ConfirmationQueue>();
  readonly #registered: vscode.Disposable;
  #questions = 0;

  constructor() {
    this.#registered = vscode.lm.registerTool(CONFIRM_TOOL, {
      prepareInvocation: async ({ input }) => {
        const calls = this.#of(input)?.calls.map(({ call }) => call);
        if (!calls) return {};
        // Bundled as a separate file: see esbuild.mjs.
        const { confirmCalls } = await import('./confirmationText');
        return { confirmationMessages: confirmCalls(calls) };
      },
      invoke: async ({ input }) => {
        const runs = await this.#of(input)?.run();
        const parts = runs?.flatMap((run) => run.parts);
        return toResult(parts ? { outcome: 'ok', parts } : toolMessage('refused', 'No call waits for this.'));
      },
    });
  }

  /**
   * Runs the call if the user agrees. Never rejects.
   * @param token the token of the chat request, in which the question appears; without it, VS Code opens a dialog
   */
  async ask(
    call: PendingCall,
    token: vscode.ChatParticipantToolToken | undefined,
    run: () => Promise<ToolRun>,
  ): Promise<ToolRun> {
    const chat = chatOf(token);
    const line = this.#lines.get(chat) ?? new ConfirmationQueue((calls) => this.#question(calls, token));
    this.#lines.set(chat, line);
    const answer = await line.add({ call, run });
    if (line.idle) this.#lines.delete(chat);
    return answer;
  }

  async #question(
    calls: readonly QueuedCall[],
    token: vscode.ChatParticipantToolToken | undefined,
  ): Promise<readonly ToolRun[] | ToolRun> {
    const number = ++this.#questions;
    const [first] = calls;
    if (!first) return [];
    // A question for several calls is cancelled with the signal of the first call.
    const { signal, tool } = first.call;
    let answer: readonly ToolRun[] | undefined;
    this.#asked.set(number, {
      calls,
      run: async () => {
        this.#asked.delete(number);
        answer = await Promise.all(calls.map(({ run }) => run()));
        return answer;
      },
    });
    try {
      const given = calls.map(({ call }) => call.input);
      const input = { call: number, tool: tool.id, arguments: given.length === 1 ? given[0] : given };
      const result = await withToken(signal, (cancellation) =>
        vscode.lm.invokeTool(CONFIRM_TOOL, { input, toolInvocationToken: token }, cancellation),
      );
      // If the user skipped the call, VS Code's result contains a text that says so.
      return answer ?? toolMessage('refused', textOf(result));
    } catch (error) {
      if (answer) return answer;
      if (signal.aborted) return CANCELLED_BEFORE;
      return toolMessage('refused', `The call was not run: ${messageOf(error)}`);
    } finally {
      this.#asked.delete(number);
    }
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #of(input: unknown) {
    return this.#asked.get((input as { readonly call?: number } | undefined)?.call ?? 0);
  }
}

function textOf(result: vscode.LanguageModelToolResult): string {
  const [part] = result.content;
  return part instanceof vscode.LanguageModelTextPart ? part.value : 'The call was not run.';
}
