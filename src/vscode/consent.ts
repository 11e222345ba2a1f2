import * as vscode from 'vscode';
import type { Tool } from '../core/catalog/tool';
import { type ToolRun, told } from '../core/ports';
import { withToken } from './cancellation';
import { confirmCall } from './confirmCall';
import { toResult } from './languageModelTools';

/** As in package.json, which keeps VS Code from offering “Allow in this Session” for it: that would let every tool through. */
const CONFIRM_TOOL = 'toolsearch_confirm_call';

/** A call that the user has to be asked about. */
interface PendingCall {
  readonly tool: Tool;
  readonly input: { readonly [name: string]: unknown };
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly call: PendingCall;
  readonly run: () => Promise<ToolRun>;
}

/**
 * Has VS Code ask the user about a call that VS Code doesn't run itself. It asks only about tools that are registered with it,
 * so the call goes through a tool of ours whose confirmation shows the real one; no model is offered it.
 */
export class Consent implements vscode.Disposable {
  readonly #waiting = new Map<number, Waiting>();
  readonly #registered: vscode.Disposable;
  #calls = 0;

  constructor() {
    this.#registered = vscode.lm.registerTool(CONFIRM_TOOL, {
      prepareInvocation: ({ input }) => {
        const call = this.#of(input)?.call;
        return call ? { confirmationMessages: confirmCall({ tool: call.tool, args: call.input }) } : {};
      },
      invoke: async ({ input }) => toResult((await this.#of(input)?.run()) ?? told('refused', 'No call waits for this.')),
    });
  }

  /**
   * Runs the call once the user consents. Never rejects.
   * @param token the chat request's, so that the question stands in the chat; without it VS Code opens a dialog
   */
  async ask(call: PendingCall, token: vscode.ChatParticipantToolToken | undefined, run: () => Promise<ToolRun>): Promise<ToolRun> {
    const number = ++this.#calls;
    let answer: ToolRun | undefined;
    this.#waiting.set(number, {
      call,
      run: async () => {
        this.#waiting.delete(number);
        answer = await run();
        return answer;
      },
    });
    try {
      const input = { call: number, tool: call.tool.id, arguments: call.input };
      const result = await withToken(call.signal, (cancellation) =>
        vscode.lm.invokeTool(CONFIRM_TOOL, { input, toolInvocationToken: token }, cancellation),
      );
      // Skipped: what VS Code gives in place of a result says so.
      return answer ?? told('refused', textOf(result));
    } catch (error) {
      if (answer) return answer;
      if (call.signal.aborted) return told('cancelled', 'The user cancelled the call.');
      return told('refused', `The call was not run: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#waiting.delete(number);
    }
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #of(input: unknown): Waiting | undefined {
    return this.#waiting.get((input as { readonly call?: number } | undefined)?.call ?? 0);
  }
}

function textOf(result: vscode.LanguageModelToolResult): string {
  const [part] = result.content;
  return part instanceof vscode.LanguageModelTextPart ? part.value : 'The call was not run.';
}
