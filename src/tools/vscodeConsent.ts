import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type ToolRun, told } from '../core/ports';
import { isObject } from '../core/tool';
import type { ConsentCall } from './invoke';
import { outcomeOf } from './outcome';

/** Our tool whose confirmation shows the real tool, as in package.json. */
const CALL_TOOL = 'toolsearch_call_tool';

/**
 * Has VS Code ask the user about a call that VS Code doesn't run itself. It asks only about tools that are registered with it:
 * so the call goes through our own `toolsearch_call_tool`, whose confirmation shows the real tool, and comes back with a ticket.
 */
export class Consent {
  readonly #waiting = new Map<string, () => Promise<ToolRun>>();

  /** @param token the chat request's, so that the question stands in the chat; without it VS Code opens a dialog */
  async ask(call: ConsentCall, token: vscode.ChatParticipantToolToken | undefined, run: () => Promise<ToolRun>): Promise<ToolRun> {
    const { tool, input, signal } = call;
    const ticket = randomUUID();
    const cancellation = new vscode.CancellationTokenSource();
    const cancel = () => cancellation.cancel();
    signal.addEventListener('abort', cancel);
    let answer: ToolRun | undefined;
    this.#waiting.set(ticket, async () => {
      answer = await run();
      return answer;
    });
    try {
      const options = { input: { name: tool.modelName, arguments: input, ticket }, toolInvocationToken: token };
      const result = await vscode.lm.invokeTool(CALL_TOOL, options, cancellation.token);
      // Skipped: what VS Code says in place of a result says so.
      return answer ?? refusal(result);
    } catch (error) {
      if (signal.aborted) return told('cancelled', 'The user cancelled the call.');
      if (answer) return answer;
      if (error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled'))
        return told('refused', 'The user declined the call.');
      return told('failed', `${tool.modelName} failed: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#waiting.delete(ticket);
      signal.removeEventListener('abort', cancel);
      cancellation.dispose();
    }
  }

  /** The call that a ticket in the input stands for; undefined where there is none. A ticket is good for one call. */
  redeem(input: unknown): Promise<ToolRun> | undefined {
    const ticket = isObject(input) && typeof input.ticket === 'string' ? input.ticket : '';
    const run = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    return run?.();
  }
}

function refusal(result: vscode.LanguageModelToolResult): ToolRun {
  const [part] = result.content;
  const text = part instanceof vscode.LanguageModelTextPart ? part.value : 'The call was not run.';
  return told(outcomeOf(text) === 'ok' ? 'refused' : outcomeOf(text), text);
}
