import * as vscode from 'vscode';
import type { Ledger } from '../core/ledger/ledger';
import type { Overview } from '../core/planning/overview';
import type { ToolSource } from '../core/ports';
import { plainLabel } from '../core/text/plainText';

/** So many tools that stand in every request and weren't called in a turn are worth a look. */
const MANY_UNUSED = 10;

/** What the steps are chosen by. */
export interface StepsDeps {
  readonly source: Pick<ToolSource, 'catalog'>;
  readonly ledger: Pick<Ledger, 'events'>;
  overview(): Pick<Overview, 'loading'>;
}

/** What one may want to do after a turn, by how it went: a button for each, beneath the answer. */
export function nextSteps({ source, ledger, overview }: StepsDeps, turn: number | undefined): readonly vscode.Command[] {
  const own = ledger.events.filter((event) => event.turn === turn);
  const missed = own.findLast((event) => event.type === 'searched' && !event.before && event.hits.length === 0);
  const called = new Set(own.flatMap((event) => (event.type === 'called' ? [event.tool] : [])));
  const unused = [...overview().loading].filter(([id, { loading }]) => loading === 'eager' && !called.has(id));
  const failed = source.catalog.servers.filter((server) => server.state === 'failed').map(({ name }) => name);
  const inspect = (title: string, ...places: readonly object[]) => ({ command: 'toolsearch.openInspector', title, arguments: [...places] });
  return [
    inspect(vscode.l10n.t('Open Inspector')),
    ...(missed?.type === 'searched' ? [inspect(vscode.l10n.t('Nothing Found: Why?'), { section: 'playground', query: missed.query })] : []),
    ...(unused.length >= MANY_UNUSED
      ? [inspect(vscode.l10n.t('Show {0} Unused Tools', unused.length), { section: 'tools', filter: 'is:eager calls:0' })]
      : []),
    ...failed.slice(0, 1).map((name) => ({
      command: 'toolsearch.startServers',
      title: failed.length > 1 ? vscode.l10n.t('Start {0} Failed Servers', failed.length) : vscode.l10n.t('Start {0}', plainLabel(name)),
      arguments: failed,
    })),
  ];
}
