import * as vscode from 'vscode';
import { type Tool, VSCODE_SERVER } from '../../core/catalog/tool';
import type { Ledger } from '../../core/ledger/ledger';
import { figuresOfTurns } from '../../core/ledger/turnFigures';
import type { Overview } from '../../core/planning/loadingOverview';
import type { ToolSource } from '../../core/ports';
import { wordsOf } from '../../core/search/text/words';
import { readTypedFilters } from '../../core/search/typedFilters';
import type { SearchPort } from '../../core/search/types';
import type { PinTarget, PinValue } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import { sumRounds } from '../../core/usage/roundTokens';
import { subtractTokens } from '../../core/usage/tokens';
import type { RoundTokens } from '../../core/usage/types';
import { asCode, codeName, escapeMarkdown } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import { readName, readPin } from './pinArgument';
import { stateWord } from './stateWords';

/** The state that slash commands read and change. */
export interface SlashDeps {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly ledger: Ledger;
  settings(): Settings;
  overview(): Overview;
  pin(target: PinTarget, pin: PinValue): Promise<void>;
}

const MAX_LISTED = 100;
/** The maximum length of a tool id (server and name) that is shown, in characters. */
const MAX_ID = 300;

/** Answers a slash command of `@toolsearch` that needs no model. */
export async function runSlashCommand(
  deps: SlashDeps,
  { command, argument }: { readonly command: string; readonly argument: string },
  stream: vscode.ChatResponseStream,
  signal: AbortSignal,
): Promise<void> {
  switch (command) {
    case 'find':
      return find(deps, argument, stream, signal);
    case 'tools':
      return stream.markdown(listTools(deps, argument));
    case 'pin':
      return stream.markdown(await pin(deps, argument));
    case 'unpin':
      return stream.markdown(await unpin(deps, argument));
    case 'stats':
      return stream.markdown(stats(deps));
    default:
      stream.markdown(vscode.l10n.t('There is no command /{0}.', escapeMarkdown(command)));
  }
}

async function find(
  deps: SlashDeps,
  query: string,
  stream: vscode.ChatResponseStream,
  signal: AbortSignal,
): Promise<void> {
  if (query === '') return stream.markdown(vscode.l10n.t('Type what to find, such as `/find create an issue`.'));
  const { strategy } = deps.settings();
  const { loading, setNote } = deps.overview();
  const { filters, readOnly, text: typed, passes } = readTypedFilters(query);
  const text = typed.trim();
  const candidates = deps.source.catalog.tools.filter((tool) => loading.has(tool.id) && passes(tool));
  if (candidates.length === 0)
    return stream.markdown(
      loading.size === 0
        ? setNote !== undefined
          ? escapeMarkdown(setNote)
          : vscode.l10n.t('There are no tools to search. `/tools` shows the state of each server.')
        : `${vscode.l10n.t('No tool matches {0}.', asCode(filters))}${readOnly ? whyNoReaders(deps) : ''}`,
    );
  if (text === '')
    return stream.markdown(listLines(candidates, (tool) => toolLine(tool, loading.get(tool.id)?.loading)));
  const outcome = await deps.search.search(
    { query: text, strategy, limit: 10, candidates: new Set(candidates.map(({ id }) => id)) },
    signal,
  );
  if (!outcome.ok) return stream.markdown(escapeMarkdown(outcome.error.message));
  if (outcome.warning) stream.markdown(`> ⚠ ${escapeMarkdown(outcome.warning.user)}\n\n`);
  if (outcome.hits.length === 0) {
    const nearest =
      outcome.nearest.length > 0 ? vscode.l10n.t('Similar names: {0}.', outcome.nearest.map(nameOf).join(', ')) : '';
    stream.markdown(
      [
        `${vscode.l10n.t('None of {0} tools matches “{1}”.', outcome.searched, escapeMarkdown(text))} ${nearest}`,
        ...notRunning(deps),
        ...(await hiddenHits(deps, text, signal)),
      ].join('\n\n'),
    );
    return stream.button({
      command: 'toolsearch.openInspector',
      title: vscode.l10n.t('Show why'),
      arguments: [{ section: 'playground', query: text }],
    });
  }
  stream.markdown(
    outcome.hits.map(({ tool }, index) => `${index + 1}. ${toolLine(tool, loading.get(tool.id)?.loading)}`).join('\n'),
  );
  const shown =
    outcome.matched > outcome.hits.length ? ` ${vscode.l10n.t('These are the best {0}.', outcome.hits.length)}` : '';
  stream.markdown(
    `\n\n${vscode.l10n.t('{0} of {1} tools match ({2}, {3} ms).', outcome.matched, outcome.searched, escapeMarkdown(outcome.strategy), outcome.ms.toLocaleString(vscode.env.language, { maximumFractionDigits: 2 }))}${shown}`,
  );
}

/** Returns a line with the servers that a search leaves out because they don't run. */
function notRunning({ source }: SlashDeps): readonly string[] {
  const names = source.catalog.servers.filter(({ state }) => state !== 'running');
  if (names.length === 0) return [];
  const list = names.map(({ name, state }) => `${nameOf(name)} (${stateWord(state)})`).join(', ');
  return [vscode.l10n.t('Some of these servers may have it, but they don’t run: {0}.', list)];
}

/** The maximum number of tools that are named although no model gets them. */
const MAX_HIDDEN = 3;

/** Returns a line for each tool that fits a query but that no model gets, with the rule that keeps it away. */
async function hiddenHits(deps: SlashDeps, query: string, signal: AbortSignal): Promise<readonly string[]> {
  const { standing } = deps.overview();
  const candidates = new Set([...standing].flatMap(([id, { loading }]) => (loading === 'omitted' ? [id] : [])));
  if (candidates.size === 0) return [];
  const outcome = await deps.search.search({ query, strategy: 'bm25', limit: MAX_HIDDEN, candidates }, signal);
  if (!outcome.ok) return [];
  return outcome.hits.map(({ tool }) =>
    vscode.l10n.t(
      '{0} fits, but no model gets it: {1}.',
      nameOf(tool.id),
      escapeMarkdown(standing.get(tool.id)?.reasonLong ?? ''),
    ),
  );
}

function listTools(deps: SlashDeps, filter: string): string {
  const { catalog } = deps.source;
  const { loading } = deps.overview();
  const withheld = [...(catalog.withheld?.values() ?? [])];
  if (filter === '') {
    const lines = catalog.servers.flatMap((server) => {
      const kinds = catalog.tools
        .filter((tool) => tool.server === server.name)
        .map((tool) => loading.get(tool.id)?.loading);
      const parts = (['eager', 'discovered', 'deferred'] as const)
        .map((kind) => ({ kind, count: kinds.filter((other) => other === kind).length }))
        .filter(({ count }) => count > 0)
        .map(({ kind, count }) => `${count} ${stateWord(kind)}`);
      const waiting = withheld.filter((tool) => tool.server === server.name).length;
      if (waiting > 0) parts.push(`${waiting} ${stateWord('changed')}`);
      if (server.name === VSCODE_SERVER && parts.length === 0) return [];
      const detail = server.detail ? ` — ${escapeMarkdown(server.detail)}` : '';
      return [
        `- ${nameOf(server.name)} ${stateWord(server.state)}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}${detail}`,
      ];
    });
    return lines.length > 0
      ? lines.join('\n')
      : vscode.l10n.t('There are no MCP servers. Add one to `.vscode/mcp.json`.');
  }
  const { readOnly, text, passes } = readTypedFilters(filter);
  const wanted = wordsOf(text);
  const isServer = (tool: Tool) => tool.server.toLowerCase() === text.trim().toLowerCase();
  const hasWords = (tool: Tool) => {
    const words = wordsOf(tool.id);
    return wanted.every((word) => words.some((known) => known.startsWith(word)));
  };
  const passing = [...catalog.tools, ...withheld].filter(passes);
  const ofServer = passing.filter(isServer);
  const tools = ofServer.length > 0 ? ofServer : passing.filter(hasWords);
  if (tools.length === 0)
    return `${vscode.l10n.t('No server or tool is named “{0}”. `/find` searches descriptions too.', escapeMarkdown(filter))}${readOnly ? whyNoReaders(deps) : ''}`;
  return listLines(tools, (tool) =>
    toolLine(tool, withheld.includes(tool) ? 'changed' : loading.get(tool.id)?.loading),
  );
}

/** Returns a sentence on why no tool is known to be read-only, if VS Code runs the servers. */
function whyNoReaders({ settings }: Pick<SlashDeps, 'settings'>): string {
  if (settings().mcpHost !== 'vscode') return '';
  return ` ${vscode.l10n.t('VS Code doesn’t report which tools only read. If `toolsearch.mcp.host` is `extension`, this is known.')}`;
}

function listLines(tools: readonly Tool[], lineOf: (tool: Tool) => string): string {
  const lines = tools.slice(0, MAX_LISTED).map((tool) => `- ${lineOf(tool)}`);
  const more = tools.length - MAX_LISTED;
  if (more > 0) lines.push(`\n${vscode.l10n.t('{0} more are in the inspector.', more)}`);
  return lines.join('\n');
}

/** Returns a tool as one line. The chat view is too narrow for a table. */
function toolLine(tool: Tool, loading: string | undefined): string {
  return `${nameOf(tool.id)}${loading ? ` _${stateWord(loading)}_` : ''} ${escapeMarkdown(firstSentence(tool))}`;
}

/** Runs `/pin github/create_issue` or `/pin github deferred`; see `pinArgument.ts`. */
async function pin(deps: SlashDeps, argument: string): Promise<string> {
  const { name, how } = readPin(argument);
  const [, first = '', last = ''] = /^(\S+)\s+(\S+)$/.exec(name) ?? [];
  if (last !== '' && isKnown(deps, first) && !isKnown(deps, name))
    return vscode.l10n.t(
      '{0} can’t be pinned {4}. Possible are {1}, {2} and {3}.',
      nameOf(first),
      '`eager`',
      '`deferred`',
      '`off`',
      asCode(last),
    );
  const target = findTarget(deps, name, '/pin github/create_issue');
  if (typeof target === 'string') return target;
  await deps.pin(target, how);
  const [id, undo] = [nameOf(target.id), asCode(`/unpin ${target.id}`)];
  return how === 'off'
    ? vscode.l10n.t('{0} is hidden: it isn’t sent to models and can’t be found or called. {1} undoes this.', id, undo)
    : vscode.l10n.t('{0} is pinned {1}. {2} undoes this.', id, how, undo);
}

async function unpin(deps: SlashDeps, argument: string): Promise<string> {
  const target = findTarget(deps, readName(argument), '/unpin github/create_issue');
  if (typeof target === 'string') return target;
  await deps.pin(target, 'auto');
  return vscode.l10n.t('Removed the pin of {0}.', nameOf(target.id));
}

function isKnown({ source: { catalog } }: SlashDeps, name: string): boolean {
  return (
    catalog.servers.some((server) => isNamed(server.name, name)) || catalog.tools.some((tool) => hasName(tool, name))
  );
}

function hasName(tool: Tool, name: string): boolean {
  return [tool.id, tool.modelName, tool.name].some((known) => isNamed(known, name));
}

function isNamed(known: string, name: string): boolean {
  return known.toLowerCase() === name.toLowerCase();
}

/** Returns the tool or server with this name; if there isn't exactly one, a sentence for the user. */
function findTarget({ source: { catalog } }: SlashDeps, name: string, example: string): PinTarget | string {
  if (name === '') return vscode.l10n.t('Type the name of a tool or server, as in `{0}`.', example);
  const servers = [...catalog.servers.map((server) => server.name), VSCODE_SERVER];
  const server = servers.find((candidate) => isNamed(candidate, name));
  if (server !== undefined) return { kind: 'server', id: server };
  const tools = catalog.tools.filter((tool) => hasName(tool, name));
  const [tool] = tools;
  if (tool && tools.length === 1) return { kind: 'tool', id: tool.id };
  const names = tools.map(({ id }) => nameOf(id)).join(', ');
  return tools.length > 1
    ? vscode.l10n.t('{0} is the name of several tools: {1}.', nameOf(name), names)
    : vscode.l10n.t('No tool or server is named {0}. `/find` searches for tools.', nameOf(name));
}

function stats(deps: SlashDeps): string {
  const turns = figuresOfTurns(deps.ledger.events);
  const asked = turns.flatMap(({ requests }) => requests);
  const { counts } = deps.overview();
  const head = vscode.l10n.t(
    'Tools: {0} eager, {1} discovered, {2} deferred.',
    counts.eager,
    counts.discovered,
    counts.deferred,
  );
  if (asked.length === 0) {
    const none = turns.some(({ rounds }) => rounds.length > 0)
      ? vscode.l10n.t('No model was asked, so nothing was sent and nothing saved.')
      : vscode.l10n.t('This session has no questions yet.');
    return `${head} ${none}`;
  }
  const sums = sumRounds(asked);
  const net = subtractTokens(sums.baseline, sums.sent);
  const measured = net.certainty === 'measured';
  const figure = (value: number) => `${measured ? '' : '≈ '}${value.toLocaleString(vscode.env.language)}`;
  const rows = [
    `| ${vscode.l10n.t('Sent')} | ${figure(sums.sent.value)} |`,
    `| ${vscode.l10n.t('With every definition')} | ${figure(sums.baseline.value)} |`,
    ...(sums.cost ? costRows(sums.cost) : [netRow(net.value, figure)]),
  ];
  const text = vscode.l10n.t(
    '{0, plural, one {# turn} other {# turns}}, {1, plural, one {# model call} other {# model calls}}',
  );
  const unit = measured ? vscode.l10n.t('Tokens (measured)') : vscode.l10n.t('Tokens (estimated)');
  const table = [`| ${counted(text, turns.length, asked.length)} | ${unit} |`, '|---|---|', ...rows].join('\n');
  return `${head}\n\n${table}`;
}

function netRow(net: number, figure: (value: number) => string): string {
  const label = net < 0 ? vscode.l10n.t('Cost more than it saved') : vscode.l10n.t('Net saved');
  return `| ${label} | ${figure(Math.abs(net))} |`;
}

/** Returns the cost of a session: in US dollars, or in uncached tokens if no list price is known. */
function costRows(cost: NonNullable<RoundTokens['cost']>): readonly string[] {
  const { sent, baseline } = cost.usd ?? cost;
  const dollars = { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 } as const;
  const figure = (value: number) => `≈ ${value.toLocaleString(vscode.env.language, cost.usd ? dollars : {})}`;
  return [
    `| ${cost.usd ? vscode.l10n.t('Cost') : vscode.l10n.t('Cost in fresh tokens')} | ${figure(sent)} |`,
    `| ${vscode.l10n.t('Cost with every definition')} | ${figure(baseline)} |`,
    netRow(baseline - sent, figure),
  ];
}

/** Returns the name of a server or a tool as code. */
function nameOf(id: string): string {
  return codeName(id, MAX_ID);
}

function firstSentence(tool: Tool): string {
  const text = (tool.description || tool.title || '').replace(/\s+/g, ' ').trim();
  const end = text.search(/[.!?](\s|$)/);
  return text.slice(0, Math.min(end < 0 ? text.length : end + 1, 140));
}
