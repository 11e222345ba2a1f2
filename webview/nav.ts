// The state of the page that the webview itself remembers: the user's place and choices.

import type { PlayQuestion } from '../src/inspector/protocol/requests';

export const SECTIONS = ['turns', 'tools', 'playground'] as const;
export type Section = (typeof SECTIONS)[number];

/** Identifies a round by its turn and its number. */
export interface RoundPlace {
  readonly turn: number;
  readonly round: number;
}

/**
 * The user's place and choices in the inspector. The webview itself remembers nothing else: its content comes from the
 * host.
 */
export interface Nav {
  readonly section: Section;
  /** The turn whose story is shown; undefined for the newest. */
  readonly turn?: number;
  /** The round whose request and reply are open in the timeline. It isn't remembered after the page is closed. */
  readonly exchange?: RoundPlace;
  readonly filter: string;
  /** The column that sorts the grid of tools, by its id. */
  readonly sort: { readonly key: string; readonly descending: boolean };
  readonly grouped: boolean;
  readonly closedServers: readonly string[];
  /** Ids of the tools whose details are open. */
  readonly openTools: readonly string[];
  /** The playground's question. */
  readonly play: PlayQuestion;
}

const INITIAL_NAV: Nav = {
  section: 'turns',
  filter: '',
  sort: { key: 'name', descending: false },
  grouped: true,
  closedServers: [],
  openTools: [],
  play: { mode: 'query', query: '', scope: 'all' },
};

/**
 * Reads the saved state of an earlier page. Reads it field by field, because another version may have saved other
 * fields.
 */
export function restoreNav(saved: unknown): Nav {
  if (!isRecord(saved)) return INITIAL_NAV;
  const { section, turn, filter, sort, grouped } = saved;
  return {
    section: SECTIONS.find((known) => known === section) ?? INITIAL_NAV.section,
    turn: typeof turn === 'number' ? turn : undefined,
    filter: typeof filter === 'string' ? filter : '',
    sort: isRecord(sort)
      ? { key: typeof sort.key === 'string' ? sort.key : 'name', descending: sort.descending === true }
      : INITIAL_NAV.sort,
    grouped: grouped !== false,
    closedServers: listOf(saved.closedServers, (item) => typeof item === 'string'),
    openTools: listOf(saved.openTools, (item) => typeof item === 'string'),
    play: restorePlay(saved.play),
  };
}

function restorePlay(value: unknown): PlayQuestion {
  if (!isRecord(value)) return INITIAL_NAV.play;
  return {
    mode: value.mode === 'tool' ? 'tool' : 'query',
    query: typeof value.query === 'string' ? value.query : '',
    ...(typeof value.tool === 'string' ? { tool: value.tool } : {}),
    scope: value.scope === 'deferred' ? 'deferred' : 'all',
  };
}

function listOf<Item>(value: unknown, is: (item: unknown) => item is Item): readonly Item[] {
  return Array.isArray(value) ? value.filter(is) : [];
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
