import type { HeaderView, ServerView, Standing, Tokens, ToolView } from '../../src/inspector/protocol/view';
import type { Store } from '../store';

/** A row of the grid. `key` identifies the row in every state. */
export type Row = {
  readonly key: string;
  readonly level: number;
} /** `reason`: the most frequent reason of all tools, which their own rows don't repeat. */ & (
  | { readonly kind: 'all'; readonly calls: number; readonly reason: string }
  | { readonly kind: 'server'; readonly server: ServerView; readonly shown: ServerSums; readonly open?: boolean }
  | { readonly kind: 'tool'; readonly tool: ToolView; readonly open: boolean }
  | { readonly kind: 'detail'; readonly tool: ToolView }
);

/** Sums over the tools of a server that pass the filter. */
export interface ServerSums {
  readonly tools: number;
  readonly calls: number;
  readonly loading: { readonly [loading in Standing]: number };
}

export type RowOf<Kind extends Row['kind']> = Extract<Row, { readonly kind: Kind }>;

/** The values that all rows share. */
export interface GridContext {
  readonly mode: HeaderView['mode'];
  /** The size of all tools. */
  readonly tokens: Tokens;
  /** The reason that most tools share. It is shown only once, above all tools. */
  readonly usual: string;
  readonly store: Store;
  readonly onToggle: (row: Row) => void;
}

/** The values, besides its row, that a cell shows. `active`: whether the row is the grid's tab stop. */
export type CellContext = GridContext & { readonly active: boolean };
