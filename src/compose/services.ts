import * as vscode from 'vscode';
import { Ledger } from '../core/ledger/ledger';
import type { TurnServices } from '../core/turn/turnServices';
import { LastRequests } from '../core/usage/cacheMiss';
import { TokenCounters } from '../core/usage/tokenCounter';
import { systemTimer } from '../core/util/timers';
import { yieldToEventLoop } from '../core/util/yieldToEventLoop';
import type { Shared } from './shared';
import type { Tools } from './tools';

export function createTurnServices({ secrets }: Shared, { source, search, settings, pins }: Tools): TurnServices {
  return {
    source,
    search,
    ledger: new Ledger(secrets.redactIn),
    user: {
      settings: () => settings.current,
      pins: () => pins.current,
      workspace: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => secrets.redact(uri.fsPath)),
      missingStrategy: (rule) => settings.missingStrategy(rule),
    },
    counters: new TokenCounters(),
    requests: new LastRequests(),
    clock: { now: Date.now, timer: systemTimer, yieldToEventLoop },
  };
}
