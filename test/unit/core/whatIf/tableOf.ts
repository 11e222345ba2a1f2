import type { SandboxPort } from '../../../../src/core/code/sandboxPort';
import type { LedgerEvent } from '../../../../src/core/ledger/events';
import { searchOver } from '../../../../src/core/search/searchOver';
import { NO_PINS } from '../../../../src/core/settings/pins';
import type { Settings } from '../../../../src/core/settings/settings';
import { runTurn } from '../../../../src/core/turn/turn';
import type { WhatIf } from '../../../../src/core/whatIf/types';
import { type WhatIfInputs, whatIf } from '../../../../src/core/whatIf/whatIf';
import { Capabilities } from '../../../../src/providers/capabilities';
import { viewRequest } from '../../../../src/providers/requestView';
import { makeCatalog, NO_SANDBOX, SETTINGS } from '../turn/world';
import { type Course, type Played, play, TOOLS } from '../usage/twinConversations';

const { port: search } = searchOver(TOOLS, async () => {});

/** A conversation with a chat, with scripts if there is a sandbox. */
export type ChatCourse = Omit<Course, 'driver' | 'code'> & { readonly sandbox?: SandboxPort };

/** Plays a conversation with real turns. */
export function playChat({ sandbox, ...course }: ChatCourse, driver: Course['driver'] = 'chat'): Promise<Played> {
  return play({ ...course, driver, code: sandbox ? 'script' : 'none' }, false, sandbox ?? NO_SANDBOX);
}

/** The inputs of a recorded session's replays. */
export function inputsFor(
  events: readonly LedgerEvent[],
  settings: Partial<Settings>,
  rest: Partial<WhatIfInputs> = {},
): WhatIfInputs {
  return {
    events,
    catalog: makeCatalog(TOOLS),
    settings: { ...SETTINGS, ...settings },
    pins: NO_PINS,
    scripts: false,
    models: {
      of: ({ vendor, id: model, name }) => {
        const isClaude = vendor.includes('anthropic');
        const maxTools = isClaude ? Number.POSITIVE_INFINITY : 128;
        return new Capabilities().describe(isClaude ? 'anthropic' : 'openai', { model, name, maxTools });
      },
      viewRequest,
    },
    search,
    runTurn,
    yieldToEventLoop: async () => {},
    all: true,
    ...rest,
  };
}

export function tableOf(events: readonly LedgerEvent[], settings: Partial<Settings>): Promise<WhatIf> {
  return whatIf(inputsFor(events, settings), new AbortController().signal);
}
