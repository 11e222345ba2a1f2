// The user of a window: answers every question that VS Code shows, and remembers what they agreed to.
import type * as vscode from 'vscode';
import { pause } from '../../src/core/util/timers';
import { chatOf } from '../../src/ui/agents/languageModelTools';
import { host } from '../unit/shim/host';
import { LanguageModelTextPart, LanguageModelToolResult } from '../unit/shim/parts';
import { isRun } from './invariants';
import type { Plan } from './plan';

const CONFIRM = 'toolsearch_confirm_call';
const SKIPPED = 'The user chose to skip the tool call, they want to proceed without running it';

/** Answers as the plan of the turn says, from the words of each question alone. */
export class User {
  /** Calls that the user agreed to and that no server has got yet, as `tool arguments`. */
  readonly agreed: string[] = [];
  /** Calls about which a chat has to ask, as `chat tool arguments`. */
  readonly waiting = new Set<string>();
  readonly #misplaced: string[] = [];
  /** Tools that a client may call without further questions, as `client tool`. */
  readonly allowed = new Set<string>();
  plan: Pick<Plan, 'answers' | 'consents' | 'tells'> = { answers: 'accept', consents: true };

  /** Makes this user the one of VS Code's shim. */
  attach(): void {
    host.invokeTool = async (name, options, token) => {
      if (name !== CONFIRM) throw new Error(`VS Code has no tool ${name}.`);
      const tool = host.tools.get(name);
      const asked = { ...options, toolInvocationToken: options.toolInvocationToken } as never;
      const prepared = await tool?.prepareInvocation?.(asked, token as vscode.CancellationToken);
      const { message = '' } = prepared?.confirmationMessages ?? {};
      // Meanwhile, other chats may have questions too.
      await pause(this.plan.tells ? 100 : 1);
      if (token?.isCancellationRequested) throw new Error('Canceled');
      const words = typeof message === 'string' ? message : message.value;
      const [, called = '', server = ''] = /tool `+(.+?)`+ of the MCP server `+(.+?)`+:/.exec(words) ?? [];
      const blocks = [...words.matchAll(/^`{3,}json\n([\s\S]*?)\n`{3,}$/gm)].map(([, json = '']) => JSON.parse(json));
      const chat = chatOf(options.toolInvocationToken);
      const questions = blocks.map((input) => `${chat} ${server}/${called} ${JSON.stringify(input)}`);
      this.#misplaced.push(...questions.filter((call) => !this.waiting.has(call)));
      if (!this.#agrees(`${server}/${called}`, blocks))
        return new LanguageModelToolResult([new LanguageModelTextPart(SKIPPED)]) as vscode.LanguageModelToolResult;
      return (await tool?.invoke(asked, token as vscode.CancellationToken)) as vscode.LanguageModelToolResult;
    };
    host.press = (message, buttons, detail) => {
      const [, client, called, server] =
        /MCP client (.+) run the tool (\S+) of the server (\S+?)(?: \d+ times)?\?$/.exec(message) ?? [];
      if (client === undefined) return undefined;
      const id = `${server}/${called}`;
      const blocks = [...detail.matchAll(/^\{(?:\}|[\s\S]*?^\})/gm)].map(([json]) => JSON.parse(json));
      if (!this.#agrees(id, blocks)) return undefined;
      // The first client may go on, the other one is always asked.
      if (!client.endsWith('one')) return buttons[0];
      this.allowed.add(`${client} ${id}`);
      return buttons[1];
    };
    host.choose = (items, _, token) => {
      const { answers } = this.plan;
      const choice = { accept: items[0], decline: items[1], cancel: undefined };
      if (answers !== 'silent') return choice[answers];
      return new Promise((resolve) => token?.onCancellationRequested(() => resolve(undefined)));
    };
    host.type = ({ value }) => value ?? '';
  }

  /** A client comes with a new session, for which the user allowed nothing. */
  forget(client: string): void {
    for (const allowed of this.allowed) if (allowed.startsWith(`${client} `)) this.allowed.delete(allowed);
  }

  #agrees(id: string, blocks: readonly unknown[]): boolean {
    if (blocks.length === 0 || !blocks.every((input) => isRun(this.plan, input))) return false;
    this.agreed.push(...blocks.map((input) => `${id} ${JSON.stringify(input)}`));
    return true;
  }

  /**
   * The calls that servers got though the user agreed to none of them, and the questions in a wrong chat.
   * @param clients the clients of the endpoint that called; others are asked only about tools that change something
   */
  unasked(served: readonly string[], clients: readonly string[]): readonly string[] {
    this.waiting.clear();
    const misplaced = this.#misplaced.splice(0).map((call) => `a chat asked about a call of another: ${call}`);
    const unasked = served.flatMap((call) => {
      const [id = ''] = call.split(' ', 1);
      const at = this.agreed.indexOf(call);
      if (at >= 0) this.agreed.splice(at, 1);
      const isFree =
        clients.length === 0
          ? !/\/(write_note|structured|progress)$/.test(id)
          : clients.some((client) => this.allowed.has(`${client} ${id}`));
      return at >= 0 || isFree ? [] : [`${call} ran though the user didn't agree`];
    });
    return [...misplaced, ...unasked];
  }
}
