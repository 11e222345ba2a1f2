// The services and choices that the turns of a window share.

import type { Ledger } from '../ledger/ledger';
import type { ToolSource } from '../ports';
import type { SearchPort } from '../search/types';
import type { MissingStrategy } from '../settings/parseSettings';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import type { LastRequests } from '../usage/cacheMiss';
import type { TokenCounters } from '../usage/tokenCounter';
import type { Timer } from '../util/timers';

/** The clock and timers that turns use. Tests replace them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timer: Timer;
  /** Lets other work of the extension host run. Resolves in a later task. */
  readonly yieldToEventLoop: () => Promise<void>;
}

/** The user's settings, pins and workspace, read when a turn begins. */
export interface UserChoices {
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  /** Paths of the workspace's folders. */
  readonly workspace: () => readonly string[];
  /** The strategy that `toolsearch.models` or the general setting names, if no extension has registered it. */
  readonly missingStrategy: (rule?: string) => MissingStrategy | undefined;
}

/** Everything that the turns of a window share, whoever asks. Created once, in `src/compose`. */
export interface TurnServices {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly ledger: Ledger;
  readonly user: UserChoices;
  readonly counters: TokenCounters;
  /** The last request of each conversation of the window. */
  readonly requests: LastRequests;
  readonly clock: Clock;
}
