import * as vscode from 'vscode';
import type { ServerInfo } from '../../core/catalog/catalog';
import { eventsOf, isUse, type LedgerEvent } from '../../core/ledger/events';
import type { Ledger } from '../../core/ledger/ledger';
import type { LossCause, Unit } from '../../core/ledger/lossCause';
import type { TurnFigures } from '../../core/ledger/turnFigures';
import type { ToolSource } from '../../core/ports';
import { SETTING_KEYS } from '../../core/settings/settings';
import { codeName, escapeMarkdown } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';

// Everything below an answer: a line with the turn's figures, news, buttons to repair a failure, and follow-up
// questions.

/** The command that error messages name. The name is the same in all languages. */
const MANAGE_KEYS = 'Tool Search: Manage API Keys';

interface StepsDeps {
  readonly source: Pick<ToolSource, 'catalog'>;
  readonly ledger: Pick<Ledger, 'events'>;
}

/** The commands that links in an answer may run. */
const LINKED = ['toolsearch.openInspector', 'toolsearch.startServers'] as const;

/**
 * Creates the line of figures and the news below answers. News that the user has seen in this window isn't repeated.
 */
export class AnswerLines {
  readonly #deps: StepsDeps;
  readonly #seen = new Set<string>();

  constructor(deps: StepsDeps) {
    this.#deps = deps;
  }

  /** Returns the lines below a turn's answer, as Markdown with links; undefined if there are none. */
  of(turn: number | undefined, figures: TurnFigures | undefined, unit: Unit): vscode.MarkdownString | undefined {
    const { events } = this.#deps.ledger;
    const missed = missedQuery(events, turn);
    const lines = [
      ...this.#failedServers(),
      ...this.#changedTools(),
      ...(missed === undefined
        ? []
        : [
            `${vscode.l10n.t('No tool was found for “{0}”.', escapeMarkdown(missed))} ${inspect(vscode.l10n.t('Show why'), { section: 'playground', query: missed })}`,
          ]),
      ...(figures?.ended ? [inspect(inWords(figures, unit), { section: 'turns', turn })] : []),
    ];
    if (lines.length === 0) return undefined;
    const markdown = new vscode.MarkdownString(`\n\n${lines.join('\n\n')}\n\n`);
    markdown.isTrusted = { enabledCommands: LINKED };
    return markdown;
  }

  /** Returns the servers that have failed since the last answer. */
  #failedServers(): readonly string[] {
    const failed = failedServers(this.#deps.source);
    const names = failed.map(({ name }) => name);
    const news = this.#news('failed', names);
    const fresh = failed.filter(({ name }) => news.includes(name));
    const startable = fresh.filter(({ namesTakenBy }) => namesTakenBy === undefined).map(({ name }) => name);
    const text = vscode.l10n.t('Failed servers: {0}.', startable.map((name) => codeName(name)).join(', '));
    const start = link('toolsearch.startServers', vscode.l10n.t('Start again'), startable);
    return [
      ...fresh.flatMap(({ name, namesTakenBy, detail = '' }) =>
        namesTakenBy === undefined ? [] : [`${codeName(name)}: ${escapeMarkdown(detail)}`],
      ),
      ...(startable.length > 0 ? [`${text} ${start}`] : []),
    ];
  }

  /** Returns the tools that have changed since the last answer and need the user's decision. */
  #changedTools(): readonly string[] {
    const withheld = [...(this.#deps.source.catalog.withheld?.values() ?? [])].map(({ id }) => id);
    const fresh = this.#news('changed', withheld);
    if (fresh.length === 0) return [];
    const text = vscode.l10n.t(
      '{0, plural, one {# tool has changed and isn’t used until you accept it.} other {# tools have changed and aren’t used until you accept them.}}',
    );
    return [
      `${counted(text, fresh.length)} ${inspect(vscode.l10n.t('Show changes'), { section: 'tools', filter: 'is:omitted' })}`,
    ];
  }

  /** Returns the names that haven't been shown yet. A name that disappears and comes back is shown again. */
  #news(kind: string, names: readonly string[]): readonly string[] {
    const fresh = names.filter((name) => !this.#seen.has(`${kind} ${name}`));
    for (const key of this.#seen) if (key.startsWith(`${kind} `)) this.#seen.delete(key);
    for (const name of names) this.#seen.add(`${kind} ${name}`);
    return fresh;
  }
}

/** Returns the turn's figures, such as "72% cheaper than with all tools · 2 of 157 tools used". */
function inWords(figures: TurnFigures, unit: Unit): string {
  const { events, started, tools } = figures;
  const used = new Set(events.filter(isUse).map(({ tool }) => tool)).size;
  const unsent = started.unsent ?? 0;
  const kept = figures.withModel ? vscode.l10n.t('no model asked') : saving(figures, unit);
  if (kept === undefined) return vscode.l10n.t('Show this turn in the inspector');
  return [
    kept,
    vscode.l10n.t('{0} of {1} tools used', used, tools),
    ...(unsent > 0 ? [vscode.l10n.t('VS Code’s {0} tools weren’t sent', unsent)] : []),
  ].join(' · ');
}

/** Returns the difference to all tools, as the inspector shows it; undefined if there is no answer to compare. */
function saving({ compared, started, tokens, net, lossCause }: TurnFigures, unit: Unit): string | undefined {
  const { cost, baseline } = tokens;
  if (!compared || baseline.value === 0) return undefined;
  const usd = unit === 'usd' ? cost?.usd : undefined;
  const ratio = usd ? 1 - usd.sent / usd.baseline : net.value / baseline.value;
  if (Math.abs(ratio) < 0.005)
    return started.counts.deferred + started.counts.discovered === 0
      ? vscode.l10n.t('nothing kept out')
      : vscode.l10n.t('about the same as with all tools');
  const share = Math.abs(ratio).toLocaleString(vscode.env.language, { style: 'percent' });
  const cause = lossCause[unit];
  if (cause)
    return usd
      ? vscode.l10n.t('{0} more expensive than with all tools: {1}', share, causeOf(cause))
      : vscode.l10n.t('{0} more tokens than with all tools: {1}', share, causeOf(cause));
  return usd
    ? vscode.l10n.t('{0} cheaper than with all tools', share)
    : vscode.l10n.t('{0} fewer tokens than with all tools', share);
}

/** Returns in a few words why a turn cost more than with all tools. */
function causeOf(cause: LossCause): string {
  switch (cause) {
    case 'missed':
      return vscode.l10n.t('the provider’s cache was missed');
    case 'cached':
      return vscode.l10n.t('all definitions would be cheap in the provider’s cache');
    case 'searched':
      return vscode.l10n.t('searching took more than the definitions');
    case 'guidance':
      return vscode.l10n.t('our own tools took more than the definitions');
    case 'undeferred':
      return vscode.l10n.t('our own tools or earlier definitions were sent too');
  }
}

function inspect(title: string, place: object): string {
  return link('toolsearch.openInspector', title, [place]);
}

function link(command: (typeof LINKED)[number], title: string, given: readonly unknown[]): string {
  const query = encodeURIComponent(JSON.stringify(given)).replace(/[()]/g, (char) => (char === '(' ? '%28' : '%29'));
  return `[${title}](command:${command}?${query})`;
}

/** Returns buttons for the settings and keys that an error message names. Only known names are recognized. */
export function repairSteps(failure: string): readonly vscode.Command[] {
  // Whole names are compared, since `toolsearch.mode` is also the beginning of `toolsearch.models`.
  const named = new Set(failure.match(/\btoolsearch\.[a-zA-Z]+(?:\.[a-zA-Z]+)?/g));
  const settings = SETTING_KEYS.map((key) => `toolsearch.${key}`).filter((setting) => named.has(setting));
  const open = {
    command: 'workbench.action.openSettings',
    title: vscode.l10n.t('Open Settings'),
    arguments: [`@id:${settings.join(',')}`],
  };
  return [
    ...(settings.length === 0 ? [] : [open]),
    ...(failure.includes(MANAGE_KEYS)
      ? [{ command: 'toolsearch.manageKeys', title: vscode.l10n.t('Manage API Keys') }]
      : []),
  ];
}

/** Returns questions that the user may want to ask next. VS Code's follow-ups can only be questions. */
export function followups({ source, ledger }: StepsDeps, turn: number | undefined): vscode.ChatFollowup[] {
  const missed = missedQuery(ledger.events, turn);
  const search = vscode.l10n.t('Search “{0}” without a model', escapeMarkdown(missed ?? ''));
  const isBroken = failedServers(source).length > 0;
  const tools = isBroken ? vscode.l10n.t('Which server failed?') : vscode.l10n.t('Which tools are there?');
  return [
    ...(missed === undefined ? [] : [{ prompt: missed, command: 'find', label: search }]),
    { prompt: '', command: 'stats', label: vscode.l10n.t('What did it save?') },
    { prompt: '', command: 'tools', label: tools },
  ];
}

/** Returns the last query of a turn that found nothing; undefined if each found something. */
function missedQuery(events: readonly LedgerEvent[], turn: number | undefined): string | undefined {
  return eventsOf(events, 'searched').findLast((event) => event.turn === turn && event.hits.length === 0)?.query;
}

function failedServers({ catalog }: StepsDeps['source']): readonly ServerInfo[] {
  return catalog.servers.filter((server) => server.state === 'failed');
}
