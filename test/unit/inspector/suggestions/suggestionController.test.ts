import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import type { Overview } from '../../../../src/core/planning/loadingOverview';
import { NO_PINS, type Pins, pinOf, withPin } from '../../../../src/core/settings/pins';
import {
  SuggestionController,
  type SuggestionControllerDeps,
} from '../../../../src/inspector/suggestions/suggestionController';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { createText } from '../../../../src/inspector/text/text';
import { makeTool } from '../../core/search/makeTool';
import { turns } from '../../core/suggestions/script';

const TEXT = createText(INSPECTOR_STRINGS, 'en');
const TOOLS = [
  makeTool('a', 'find_page', 'Opens the page of a book that holds a given sentence.'),
  makeTool('b', 'search_users', ''),
];
const EVENTS = turns(4, (turn) =>
  turn.round(600).search(['a/find_page']).found('a/find_page').round(1400).call('a/find_page').round(1400),
);
const ONE_USED = turns(20, (turn) =>
  turn.round(600).search(['a/find_page']).found('a/find_page').round(1400).call('a/find_page'),
);

/** Opens the suggestions with a change of the controller's dependencies. */
function open(change: Partial<SuggestionControllerDeps> = {}) {
  const pins: Pins = { ...NO_PINS, tools: { 'b/search_users': 'deferred' } };
  const own = { pins, dismissed: [] as readonly string[], changes: 0 };
  const catalog = createCatalog(1, TOOLS, []);
  const loading: Overview['loading'] = new Map(
    TOOLS.map(({ id }) => [id, { loading: 'deferred', rule: 'mode', reason: '', reasonLong: '' }]),
  );
  const desk = new SuggestionController(
    {
      events: () => EVENTS,
      catalog: () => catalog,
      loading: () => loading,
      tokensOf: () => ({ value: 300, certainty: 'estimated' }),
      pins: {
        get: (target) => pinOf(own.pins, target),
        set: async (target, pin) => {
          own.pins = withPin(own.pins, target, pin);
        },
      },
      dismissed: {
        get: () => own.dismissed,
        set: async (ids) => {
          own.dismissed = ids;
        },
      },
      ...change,
    },
    () => own.changes++,
  );
  return { desk, own, view: () => desk.view(TEXT), ids: () => desk.view(TEXT).items.map(({ id }) => id) };
}

describe('one click', () => {
  it('sets the pin, and undo puts back exactly what was there', async () => {
    const { desk, own, view } = open();
    const before = own.pins;
    await desk.act({ act: 'apply', id: 'pin a/find_page' });
    expect(own.pins.tools).toEqual({ 'a/find_page': 'eager', 'b/search_users': 'deferred' });
    const [done] = view().done;
    expect(done?.text).toBe('a/find_page is pinned eager.');
    await desk.act({ act: 'undo', id: done?.id ?? '' });
    expect(own.pins).toEqual(before);
    expect(view().done).toEqual([]);
  });

  it('is ignored if the suggestion is gone', async () => {
    const opened = open();
    await opened.desk.act({ act: 'apply', id: 'pin gone/gone' });
    await opened.desk.act({ act: 'undo', id: '7 nothing' });
    expect(opened.view().done).toEqual([]);
  });

  it('hides an unused server, and undo shows it again', async () => {
    const { desk, view, own } = open({ events: () => ONE_USED });
    const hide = view().items.at(-1);
    expect(hide).toMatchObject({ id: 'hide b', group: 'idle', title: 'Hide b', benefit: 'fewer tools to search' });
    await desk.act({ act: 'apply', id: 'hide b' });
    expect(own.pins.servers).toEqual({ b: 'off' });
    const [done] = view().done;
    expect(done?.text).toBe('b is hidden: models can’t find or call its tools.');
    await desk.act({ act: 'undo', id: done?.id ?? '' });
    expect(own.pins.servers).toEqual({});
  });

  it('defers an eager tool that isn’t used', async () => {
    const how = { rule: 'pin', reason: '', reasonLong: '' } as const;
    const loading: Overview['loading'] = new Map(
      TOOLS.map(({ id }, at) => [id, { ...how, loading: at === 0 ? 'deferred' : 'eager' }]),
    );
    const { desk, own, view } = open({ events: () => ONE_USED, loading: () => loading });
    own.pins = NO_PINS;
    await desk.act({ act: 'apply', id: 'defer b/search_users' });
    expect(view().done[0]?.text).toBe('b/search_users is pinned deferred.');
    expect(own.pins.tools).toEqual({ 'b/search_users': 'deferred' });
  });

  it('is undone alone, however late and often', async () => {
    const waiting: (() => void)[] = [];
    const set = () => new Promise<void>((resolve) => waiting.push(resolve));
    const { desk, view } = open({ events: () => ONE_USED, pins: { get: () => 'auto', set } });
    const [first, second] = view().items;
    const act = (act: 'apply' | 'undo', id = '') => desk.act({ act, id });
    const applied = act('apply', first?.id);
    waiting.shift()?.();
    await applied;
    const { id } = view().done[0] ?? {};
    const undone = [act('undo', id), act('undo', id)];
    const later = act('apply', second?.id);
    waiting.pop()?.();
    await later;
    for (const end of waiting) end();
    await Promise.all(undone);
    expect(view().done.map((done) => done.id)).toEqual([`2 ${second?.id}`]);
  });

  it('that fails says why', async () => {
    const set = () => Promise.reject(new Error('The storage is full.'));
    const { desk, view } = open({ pins: { get: () => 'auto', set } });
    await expect(desk.act({ act: 'apply', id: 'pin a/find_page' })).rejects.toThrow('The storage is full.');
    expect(view().done).toEqual([]);
  });
});

it('dismissing is remembered, and can be taken back', async () => {
  const { desk, own, view, ids } = open();
  await desk.act({ act: 'dismiss', id: 'pin a/find_page' });
  expect(own.dismissed).toEqual(['pin a/find_page']);
  expect(ids()).not.toContain('pin a/find_page');
  expect(view().dismissed).toBe(1);
  await desk.act({ act: 'restore', id: '' });
  expect(Array.from({ length: 9 }, () => ids().includes('pin a/find_page'))).not.toContain(false);
});
