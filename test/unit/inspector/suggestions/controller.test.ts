import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import type { Overview } from '../../../../src/core/planning/overview';
import { NO_PINS, type Pins, pinOf, withPin } from '../../../../src/core/settings/pins';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import { SuggestionController, type SuggestionControllerDeps } from '../../../../src/inspector/suggestions/controller';
import type { SuggesterDeps } from '../../../../src/inspector/suggestions/suggester';
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

/** Opens the suggestions with a change of the controller's or the suggester's dependencies. */
function open(change: Partial<SuggestionControllerDeps> & { found?: Partial<SuggesterDeps> } = {}) {
  const own = {
    pins: { ...NO_PINS, tools: { 'b/search_users': 'deferred' } } as Pins,
    settings: DEFAULT_SETTINGS as Settings,
    dismissed: [] as readonly string[],
    changes: 0,
  };
  const catalog = createCatalog(1, TOOLS, []);
  const loading: Overview['loading'] = new Map(
    TOOLS.map(({ id }) => [id, { loading: 'deferred', rule: 'mode', reason: '', reasonLong: '' }]),
  );
  const desk = new SuggestionController(
    {
      suggester: {
        events: () => EVENTS,
        tools: {
          catalog: () => catalog,
          loading: () => loading,
          tokensOf: () => ({ value: 300, certainty: 'estimated' }),
        },
        settings: () => own.settings,
        search: { find: () => ['a/find_page'], settled: async () => {} },
        words: { suggested: () => undefined, write: async () => {} },
        clock: { pause: async () => {}, now: () => 0 },
        ...change.found,
      },
      pins: {
        get: (target) => pinOf(own.pins, target),
        set: async (target, pin) => {
          own.pins = withPin(own.pins, target, pin);
        },
      },
      setSetting: async (key, value) => {
        const before = own.settings;
        own.settings = { ...before, [key]: value };
        return async () => {
          own.settings = before;
        };
      },
      addExample: async () => async () => {},
      showServer: async () => {},
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

/** Waits for the end of the catalog's check, which pauses between its slices. */
async function checked(opened: ReturnType<typeof open>): Promise<void> {
  opened.view();
  while (opened.view().tools.checked < TOOLS.length) await setImmediate();
  await setImmediate();
}

describe('suggestions', () => {
  it('say what, why, what it saves and how that comes about', () => {
    const [pin] = open().view().items;
    expect(pin).toMatchObject({
      title: 'Pin a/find_page eager',
      subject: 'a/find_page',
      group: 'pins',
      action: 'Pin Eager',
    });
    expect(pin?.evidence).toBe(
      'Models searched for this tool in 4 of the last 4 turns. Its definition has ≈\u00a0300 tokens. 4 model calls did nothing but search for it.',
    );
    expect(pin?.sums.map(({ value }) => value)).toEqual(['≈\u00a0+1,600', '≈\u00a0−300', '≈\u00a0+1,300']);
    expect(pin?.saving?.tokens.value).toBe(1300);
  });

  it('of the other tools still come after one check failed', async () => {
    let searches = 0;
    let waits = 0;
    const search = {
      find: () => {
        if (++searches === 1) throw new Error('Broken.');
        return [];
      },
      settled: async () => {
        if (++waits === 1) throw new Error('Too early.');
      },
    };
    const opened = open({ found: { search } });
    await checked(opened);
    expect(opened.ids()).toContain('thin b/search_users');
  });

  it('of the catalog come in slices, only while somebody looks', async () => {
    const opened = open();
    expect(opened.view().tools).toEqual({ checked: 0, total: 2 });
    expect(opened.ids()).toEqual(['pin a/find_page']);
    await checked(opened);
    expect(opened.ids()).toEqual(['pin a/find_page', 'thin b/search_users']);
    expect(opened.own.changes).toBeGreaterThan(0);
  });

  it('say how many turns they wait for', () => {
    expect(open({ found: { events: () => [] } }).view()).toMatchObject({ items: [], turns: { seen: 0, needed: 3 } });
  });
});

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

  it('is ignored if the suggestion is gone or the user declines', async () => {
    const opened = open({ addExample: async () => undefined });
    await checked(opened);
    await opened.desk.act({ act: 'apply', id: 'pin gone/gone' });
    await opened.desk.act({ act: 'apply', id: 'thin b/search_users' });
    await opened.desk.act({ act: 'undo', id: '7 nothing' });
    expect(opened.view().done).toEqual([]);
  });

  it('shows an unused server’s entry, and writes nothing to undo', async () => {
    const shown: string[] = [];
    const { desk, view, own } = open({
      found: {
        events: () =>
          turns(20, (turn) =>
            turn.round(600).search(['a/find_page']).found('a/find_page').round(1400).call('a/find_page'),
          ),
      },
      showServer: async (server) => {
        shown.push(server);
      },
    });
    const before = own.pins;
    const idle = view().items.at(-1);
    expect(idle).toMatchObject({ id: 'idle b', group: 'idle', title: 'Unused: b', benefit: 'fewer tools to search' });
    expect(idle?.saving).toBeUndefined();
    await desk.act({ act: 'apply', id: 'idle b' });
    expect(shown).toEqual(['b']);
    expect(own.pins).toBe(before);
    expect(view().done).toEqual([]);
  });

  it('that fails says why', async () => {
    const { desk, view } = open({
      pins: { get: () => 'auto', set: () => Promise.reject(new Error('The storage is full.')) },
    });
    await expect(desk.act({ act: 'apply', id: 'pin a/find_page' })).rejects.toThrow('The storage is full.');
    expect(view().done).toEqual([]);
  });
});

describe('dismissing', () => {
  it('is remembered, and can be taken back', async () => {
    const { desk, own, view, ids } = open();
    await desk.act({ act: 'dismiss', id: 'pin a/find_page' });
    expect(own.dismissed).toEqual(['pin a/find_page']);
    expect(ids()).not.toContain('pin a/find_page');
    expect(view().dismissed).toBe(1);
    await desk.act({ act: 'restore', id: '' });
    expect(ids()).toContain('pin a/find_page');
  });
});
