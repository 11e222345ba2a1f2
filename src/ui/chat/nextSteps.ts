import * as vscode from 'vscode';
import type { Ledger, LedgerEvent } from '../../core/ledger/ledger';
import type { Overview } from '../../core/planning/overview';
import type { ToolSource } from '../../core/ports';
import { SETTING_KEYS } from '../../core/settings/settings';
import { escapeMarkdown, plainLabel } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';

/** So many tools that stand in every request and weren't called in a turn are worth a look. */
const MANY_UNUSED = 10;

/** How what fails names the command, in every language. */
const MANAGE_KEYS = 'Tool Search: Manage API Keys';

/** What the steps are chosen by. */
interface StepsDeps {
  readonly source: Pick<ToolSource, 'catalog'>;
  readonly ledger: Pick<Ledger, 'events'>;
  overview(): Pick<Overview, 'loading'>;
}

/**
 * What one may want to do after a turn, by how it went: a button for each, beneath the answer.
 * @param failure why it failed, as the user reads it
 */
export function nextSteps(
  { source, ledger, overview }: StepsDeps,
  turn: number | undefined,
  failure = '',
): readonly vscode.Command[] {
  const own = ledger.events.filter((event) => event.turn === turn);
  const missed = missedQuery(own);
  const called = new Set(own.flatMap((event) => (event.type === 'called' ? [event.tool] : [])));
  const unused = [...overview().loading].filter(([id, { loading }]) => loading === 'eager' && !called.has(id));
  const failed = failedServers(source);
  const [first] = failed;
  const inspect = (title: string, ...places: readonly object[]) => ({
    command: 'toolsearch.openInspector',
    title,
    arguments: [...places],
  });
  const withheld = source.catalog.withheld?.size ?? 0;
  return [
    ...mendingSteps(failure),
    inspect(vscode.l10n.t('Open Inspector')),
    ...(withheld === 0
      ? []
      : [
          inspect(
            counted(vscode.l10n.t('{0, plural, one {Show # Changed Tool} other {Show # Changed Tools}}'), withheld),
            {
              section: 'tools',
              filter: 'is:omitted',
            },
          ),
        ]),
    ...(missed === undefined
      ? []
      : [inspect(vscode.l10n.t('Nothing Found: Why?'), { section: 'playground', query: missed })]),
    ...(unused.length >= MANY_UNUSED
      ? [
          inspect(vscode.l10n.t('Show {0} Unused Tools', unused.length), {
            section: 'tools',
            filter: 'is:eager calls:0',
          }),
        ]
      : []),
    ...(first === undefined
      ? []
      : [
          {
            command: 'toolsearch.startServers',
            title:
              failed.length > 1
                ? vscode.l10n.t('Start {0} Failed Servers', failed.length)
                : vscode.l10n.t('Start {0}', plainLabel(first)),
            arguments: failed,
          },
        ]),
  ];
}

/** Where the user mends what a failure names: settings of ours, and keys. A service's own words can name no other than these. */
function mendingSteps(failure: string): readonly vscode.Command[] {
  // `toolsearch.mode` stands in `toolsearch.models` too.
  const named = new Set(failure.match(/\btoolsearch\.[a-zA-Z]+(?:\.[a-zA-Z]+)?/g));
  const settings = SETTING_KEYS.map((key) => `toolsearch.${key}`).filter((setting) => named.has(setting));
  return [
    ...(settings.length === 0
      ? []
      : [
          {
            command: 'workbench.action.openSettings',
            title: vscode.l10n.t('Open Settings'),
            arguments: [`@id:${settings.join(',')}`],
          },
        ]),
    ...(failure.includes(MANAGE_KEYS)
      ? [{ command: 'toolsearch.manageKeys', title: vscode.l10n.t('Manage API Keys') }]
      : []),
  ];
}

/** What one may want to ask next, by how the turn went: VS Code's follow-ups can only be questions. */
export function followups(
  { source, ledger }: Pick<StepsDeps, 'source' | 'ledger'>,
  turn: number | undefined,
): vscode.ChatFollowup[] {
  const missed = missedQuery(ledger.events.filter((event) => event.turn === turn));
  return [
    ...(missed === undefined
      ? []
      : [
          {
            prompt: missed,
            command: 'find',
            label: vscode.l10n.t('Nothing found: search “{0}” without a model', escapeMarkdown(missed)),
          },
        ]),
    { prompt: '', command: 'stats', label: vscode.l10n.t('What did it save?') },
    {
      prompt: '',
      command: 'tools',
      label:
        failedServers(source).length > 0
          ? vscode.l10n.t('Which server failed?')
          : vscode.l10n.t('Which tools are there?'),
    },
  ];
}

/** The last query of a turn that found nothing. */
function missedQuery(turn: readonly LedgerEvent[]): string | undefined {
  const missed = turn.findLast((event) => event.type === 'searched' && event.hits.length === 0);
  return missed?.type === 'searched' ? missed.query : undefined;
}

function failedServers({ catalog }: StepsDeps['source']): string[] {
  return catalog.servers.filter((server) => server.state === 'failed').map(({ name }) => name);
}
