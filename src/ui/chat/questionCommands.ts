import type { Settings } from '../../core/settings/settings';

/** Commands that ask one question in another mode. */
export const MODE_OF_COMMAND: { readonly [command: string]: Settings['mode'] } = { eager: 'off', deferred: 'on' };

/** Whether a model is asked: for a question without a command, or with `/eager` or `/deferred`. */
export function isQuestion(command: string | undefined): boolean {
  return !command || Object.hasOwn(MODE_OF_COMMAND, command);
}

/** Whether a command's answer depends on the tools. The other commands don't wait for servers that are starting. */
export function asksForTools(command: string): boolean {
  return command !== 'strategy' && command !== 'mode';
}
