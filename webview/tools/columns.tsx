import type { ReactNode } from 'react';
import type { Standing, ToolView } from '../../src/inspector/protocol/view';
import type { StringKey, Text } from '../../src/inspector/text/text';
import { kindOf, Swatch } from '../parts/Swatch';
import { PinHead, PinRadios } from './PinRadios';
import type { CellContext, RowOf } from './row';
import { ServerName } from './ServerName';
import { TokenBar } from './TokenBar';
import { ToolName } from './ToolName';

type Draw<Kind extends 'all' | 'server' | 'tool'> = (row: RowOf<Kind>, text: Text, context: CellContext) => ReactNode;

/** A column of the grid, with its cell in each kind of row. */
export interface Column {
  readonly id: string;
  readonly title: StringKey;
  /** Replaces the title. */
  readonly head?: ReactNode;
  readonly numeric?: true;
  /** The width of a column that a narrow panel leaves out. The style sheet has the widths of the others. */
  readonly width?: string;
  /** The class of its cells. */
  readonly className?: string;
  /** The values that rows are sorted by. Equal rows are sorted by name. */
  readonly sort?: {
    readonly tool: (tool: ToolView) => string | number;
    readonly server?: (row: Pick<RowOf<'server'>, 'server' | 'shown'>) => string | number;
  };
  /** The tooltip of a tool's cell. */
  readonly hover?: (tool: ToolView) => string;
  readonly all?: Draw<'all'>;
  readonly server?: Draw<'server'>;
  readonly tool?: Draw<'tool'>;
}

/** The loadings, in the order in which they are sorted and counted. */
const LOADINGS: readonly Standing[] = ['eager', 'discovered', 'deferred', 'omitted'];

/**
 * The pin value that the row of all tools shows for each mode. Mode `on` defers all tools that may be deferred, mode
 * `off` none.
 */
const PIN_OF_MODE = { auto: 'auto', on: 'deferred', off: 'eager' } as const;

export const COLUMNS: readonly Column[] = [
  {
    id: 'name',
    title: 'tools.name',
    className: 'nm',
    sort: { tool: (tool) => tool.name, server: ({ server }) => server.name },
    all: (_, { t }) => <b>{t('tools.all')}</b>,
    server: (row, _, context) => <ServerName row={row} {...context} />,
    tool: (row, _, context) => <ToolName row={row} {...context} />,
  },
  {
    id: 'tokens',
    title: 'tools.tokens',
    numeric: true,
    sort: { tool: (tool) => tool.tokens.value, server: ({ server }) => server.tokens.value },
    all: (_, text, { tokens }) => text.tokens(tokens),
    server: ({ server }, text) => (server.tools > 0 ? text.tokens(server.tokens) : '–'),
    tool: ({ tool: { tokens, loading } }, { t, number }) => (
      <span className="tok">
        <TokenBar value={tokens.value} loading={loading} />
        {tokens.certainty === 'estimated' && <span className="sr">{t('estimated')}</span>}
        {number(tokens.value)}
      </span>
    ),
  },
  {
    id: 'setting',
    title: 'tools.setting',
    head: <PinHead />,
    all: (_row, _text, context) => (
      <PinRadios target={{ kind: 'all', id: '' }} value={PIN_OF_MODE[context.mode]} {...context} />
    ),
    server: ({ server }, _, context) => (
      <PinRadios target={{ kind: 'server', id: server.name }} value={server.pin} {...context} />
    ),
    tool: ({ tool }, _, context) => <PinRadios target={{ kind: 'tool', id: tool.id }} value={tool.pin} {...context} />,
  },
  {
    id: 'loading',
    title: 'tools.loading',
    width: 'clamp(92px, 11%, 132px)',
    className: 'lo',
    // A server has no loading.
    sort: { tool: (tool) => LOADINGS.indexOf(tool.loading) },
    all: (_, { t }, { mode }) => t('tools.mode', { mode }),
    server: ({ shown }, { t, number }) =>
      LOADINGS.map(
        (loading) =>
          shown.loading[loading] > 0 && (
            <span key={loading} className="cnt" title={t(`loading.${loading}`)}>
              <Swatch kind={kindOf(loading)} />
              {number(shown.loading[loading])}
              <span className="sr"> {t(`loading.${loading}`)}</span>
            </span>
          ),
      ),
    tool: ({ tool: { loading } }, { t }) => (
      <>
        <Swatch kind={kindOf(loading)} />
        {t(`loading.${loading}`)}
      </>
    ),
  },
  {
    id: 'reason',
    title: 'tools.reason',
    width: 'clamp(100px, 14%, 176px)',
    className: 'dim',
    hover: (tool) => tool.reasonLong,
    all: ({ reason }) => <span title={reason}>{reason}</span>,
    server: ({ server }, { t }) => (server.pin === 'auto' ? server.source : t('tools.pinnedServer')),
    tool: ({ tool }, _, { usual }) => tool.reason !== usual && tool.reason,
  },
  {
    id: 'discoveredAt',
    title: 'tools.discoveredAt',
    width: 'clamp(92px, 11%, 132px)',
    tool: ({ tool: { discoveredAt } }, { t }) =>
      discoveredAt && t('tools.discoveredShort', { turn: discoveredAt.turn, round: discoveredAt.round }),
  },
  {
    id: 'calls',
    title: 'tools.calls',
    numeric: true,
    width: '44px',
    sort: { tool: (tool) => tool.calls, server: ({ shown }) => shown.calls },
    all: ({ calls }, { number }) => calls > 0 && number(calls),
    server: ({ shown }, { number }) => shown.calls > 0 && number(shown.calls),
    tool: ({ tool }, { number }) => tool.calls > 0 && number(tool.calls),
  },
];

/** Returns the classes that a column's head and cells share, and `own`. */
export function classOf({ numeric, width }: Column, own = ''): string {
  return [own, numeric && 'num', width && 'wide'].filter(Boolean).join(' ');
}
