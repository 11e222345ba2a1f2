import type { AssistantItem } from '../../core/conversation/transcript';
import type { CodeParts } from '../codeReplay';

/**
 * The service's tool for programs. The model writes JavaScript, and the service runs it and waits for its tool calls.
 */
export const CODE_TOOL = { type: 'programmatic_tool_calling' } as const;

type ReplyItem = { readonly type?: unknown; readonly [key: string]: unknown };

/** Returns the id of the program that made a call; undefined if the model made it. */
export function callerOf({ caller }: ReplyItem): string | undefined {
  const { type, caller_id: id } = (caller ?? {}) as { readonly type?: unknown; readonly caller_id?: unknown };
  return type !== undefined && type !== 'direct' && typeof id === 'string' ? id : undefined;
}

/** Returns the programs in a reply. */
export function codeParts(items: readonly ReplyItem[], replays: boolean): CodeParts {
  const ids = (type: string) => items.filter((item) => item.type === type).map((item) => String(item.call_id));
  const started = ids('program');
  const ended = ids('program_output');
  const calling = items.flatMap((item) => (item.type === 'function_call' ? (callerOf(item) ?? []) : []));
  return { started, calling, ended, replays };
}

/** Returns `allowed_callers` of a function; undefined if only the model calls it. */
export function allowedCallers(callers: 'code' | 'both' | undefined): ('direct' | 'programmatic')[] | undefined {
  return callers && [...(callers === 'both' ? (['direct'] as const) : []), 'programmatic'];
}

/** Whether all calls of programs in a reply can be answered: the request still has each called function. */
export function canAnswer({ calls }: AssistantItem, has: (name: string) => boolean): boolean {
  return calls.every(({ name, caller }) => caller === undefined || has(name));
}
