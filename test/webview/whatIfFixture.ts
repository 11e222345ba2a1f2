import type { WhatIfView } from '../../src/inspector/protocol/whatIf';

const row = (change: WhatIfView['rows'][number]['change'], tokens: number, cost: number, missed: string[] = []) => ({
  id: 'to' in change ? `${change.kind} ${change.to}` : change.kind,
  change,
  requests: 4,
  tokens,
  cost,
  missed,
  turns: [
    { turn: 1, requests: 3, tokens: tokens - 100, cost: cost - 100 },
    { turn: 2, requests: 1, tokens: 100, cost: 100 },
  ],
});
/** A table of replays, in which the bridge costs least. */
export const WHAT_IF: WhatIfView = {
  rows: [
    row({ kind: 'recorded' }, 9_000, 5_000),
    row({ kind: 'today' }, 9_000, 5_000),
    row({ kind: 'delivery', to: 'bridge' }, 6_000, 4_000),
    row({ kind: 'strategy', to: 'exact' }, 9_500, 5_500, ['forge/get_issue']),
    { ...row({ kind: 'eager', tools: ['forge/get_issue'] }, 8_000, 4_800), id: 'eager forge/get_issue' },
  ],
  measured: true,
  turns: [
    { turn: 1, prompt: 'first question' },
    { turn: 2, prompt: 'second question' },
  ],
  leftOut: [{ turn: 3, why: 'toolGone' }],
  earlier: 30,
  rankedBy: ['bm25', 'regex', 'keywords', 'exact'],
  ranks: [
    { tool: 'forge/get_issue', query: 'read an issue', ranks: [1, null, 2, null] },
    { tool: 'forge/get_issue', query: 'issue', ranks: [3, 1, 2, null] },
  ],
  best: 'delivery bridge',
  running: false,
};
