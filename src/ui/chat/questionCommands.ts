import type { TurnQuestion } from '../../core/turn/turn';

/** The options with which a command asks its question. */
export type Asking = Pick<TurnQuestion, 'mode' | 'withoutTools'>;

/** The commands that ask one question in another mode or without tools. */
export const ASKING_OF_COMMAND: { readonly [command: string]: Asking } = {
  eager: { mode: 'off' },
  deferred: { mode: 'on' },
  notools: { withoutTools: true },
};

/** Whether a model is asked: without a command, or with one of the commands above. */
export function isQuestion(command: string | undefined): boolean {
  return !command || Object.hasOwn(ASKING_OF_COMMAND, command);
}
