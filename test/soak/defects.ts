// Defects that a test plants into the soak's window, to check that a rule finds each of them.
import type { CallOutcome } from '../../src/core/conversation/transcript';
import type { Ledger, LedgerEntry } from '../../src/core/ledger/ledger';
import { type ToolRun, type ToolRunner, toolMessage } from '../../src/core/ports';
import type { Settings } from '../../src/core/settings/settings';
import type { ViewState } from '../../src/inspector/protocol/view';
import type { Connection } from '../../src/tools/mcp/connection/connection';
import type found from './defects.json';

/** The defects, each of which is in the file with the words of the rule that finds it. */
export type Defect = keyof typeof found;

/** The points at which a defect enters a window. Without a defect, everything passes through unchanged. */
export interface Plant {
  runner(runner: ToolRunner): ToolRunner;
  ledger(ledger: Ledger): void;
  connection(connection: Connection): Connection;
  page(view: ViewState): ViewState;
  readonly settings: Partial<Settings>;
}

/** @param defectOf the defect of the turn that is played; absent if none is planted */
export function plant(defectOf?: () => Defect | undefined): Plant {
  const defect = () => defectOf?.();
  const held: unknown[] = [];
  let last: ToolRun = toolMessage('ok', 'something else');
  const replace = (run: ToolRun) => {
    const before = last;
    last = run;
    return before;
  };
  const runs: { readonly [name in Defect]?: (run: ToolRun, again: () => Promise<ToolRun>) => unknown } = {
    'a result is replaced by another': replace,
    'a script gets the result of another call': replace,
    'a failed call is shown as done': () => toolMessage('ok' satisfies CallOutcome, 'done'),
    'a call runs twice': (_, again) => again(),
    'a promise is never settled': (run) => {
      void (async () => {
        await null;
        await new Promise((resolve) => held.push(resolve));
      })();
      return run;
    },
  };
  return {
    page: (view) => {
      const turns = view.turns.map((turn) => ({ ...turn, calls: { ...turn.calls, total: 0 } }));
      return defect() === 'the inspector misses a call' ? { ...view, turns } : view;
    },
    get settings() {
      return defect() === 'a script makes too many calls' ? { callsPerScript: 1_000 } : {};
    },
    runner: (runner) =>
      defectOf === undefined
        ? runner
        : {
            ...runner,
            consent: (call, goOn) => {
              if (defect() === 'a turn is held on to') held.push(call.signal);
              if (defect() === 'a listener stays on the turn') call.signal.addEventListener('abort', () => {});
              return defect() === 'a skipped call runs' ? goOn(call) : runner.consent(call, goOn);
            },
            invoke: async (call) => {
              const run = await runner.invoke(call);
              const planted = defect();
              const afterRun = planted && runs[planted];
              return afterRun ? ((await afterRun(run, () => runner.invoke(call))) as ToolRun) : run;
            },
          },
    ledger: (ledger) => {
      const of = ledger.exchanges.of.bind(ledger.exchanges);
      const isHoarding = () => defect() === 'too many requests are kept';
      ledger.exchanges.of = (turn, round) => (isHoarding() ? of(1, 1) : of(turn, round));
      const startTurn = ledger.startTurn.bind(ledger);
      ledger.startTurn = (now) => {
        const { turn, record } = startTurn(now);
        const more = defect() === 'listeners of the ledger are left' ? [1, 2, 3, 4, 5] : [];
        for (const _ of more) ledger.onDidChange(() => {});
        return {
          turn,
          record: (entry, at) => {
            const changed = changeEntry(defect(), entry);
            if (changed) record(changed, at);
          },
        };
      };
    },
    connection: (connection) =>
      defectOf
        ? {
            listTools: () => connection.listTools(),
            call: (tool, input, options) => connection.call(tool, input, options),
            listItems: () => connection.listItems(),
            close: async () => {
              if (defect() !== 'a server is not ended') await connection.close();
            },
          }
        : connection,
  };
}

/** The entry as the defect records it; undefined if the defect loses the entry. */
function changeEntry(defect: Defect | undefined, entry: LedgerEntry): LedgerEntry | undefined {
  if (defect === 'a call is missing in the ledger' && entry.type === 'called') return undefined;
  if (defect === 'the end of a turn is missing' && entry.type === 'turnEnded') return undefined;
  if (defect !== 'a count is wrong' || entry.type !== 'roundEnded') return entry;
  const { sent } = entry.tokens;
  return { ...entry, tokens: { ...entry.tokens, sent: { ...sent, value: sent.value + 1 } } };
}
