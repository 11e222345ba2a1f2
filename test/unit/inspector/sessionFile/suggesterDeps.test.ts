import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { findIn } from '../../../../src/core/search/find';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import type { ExportedSession } from '../../../../src/inspector/sessionFile/format';
import { openSession } from '../../../../src/inspector/sessionFile/sessionFile';
import { suggesterDepsOf } from '../../../../src/inspector/sessionFile/suggesterDeps';
import { writeSession } from '../../../../src/inspector/sessionFile/writeSession';
import { Suggester } from '../../../../src/inspector/suggestions/suggester';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { createText } from '../../../../src/inspector/text/text';
import { makeTool } from '../../core/search/makeTool';
import { turns } from '../../core/suggestions/script';
import { OPTIONS } from './sessions';

const TEXT = createText(INSPECTOR_STRINGS, 'en');
const TOOLS = [
  makeTool('a', 'find_page', 'Opens the page of a book that holds a given sentence.'),
  makeTool('b', 'search_users', ''),
  makeTool('c', 'weather', 'Tells the weather of a place on a day.'),
  { ...makeTool('vscode', 'run', ''), origin: 'vscode' as const },
];

/** A session with one example of each: a useful pin, a useless pin, a limit that is too low, a thin description. */
const SESSION: ExportedSession = {
  events: turns(8, (turn) =>
    turn
      .round(600)
      .search(['a/find_page'], { below: ['b/search_users'] })
      .round(1400)
      .call('b/search_users'),
  ),
  catalog: createCatalog(1, TOOLS, [{ name: 'a', state: 'running', problems: [] }]),
  loading: new Map([
    ['a/find_page', { loading: 'deferred', rule: 'mode', reason: '', reasonLong: '' }],
    ['b/search_users', { loading: 'deferred', rule: 'mode', reason: '', reasonLong: '' }],
    ['c/weather', { loading: 'eager', rule: 'pin', reason: '', reasonLong: '' }],
    ['vscode/run', { loading: 'omitted', rule: 'scope', reason: '', reasonLong: '' }],
  ]),
  tokensOf: ({ name }) => ({ value: 100 * name.length, certainty: 'estimated' }),
  pins: { tools: { 'c/weather': 'eager' }, servers: {} },
  mode: 'auto',
  maxResults: 1,
  maxResultsLimit: 20,
  strategy: { name: 'bm25', why: 'auto' },
  delivery: { name: 'local', why: 'auto' },
};

function reopened(text: string): ExportedSession {
  const reading = openSession(text);
  for (;;) {
    const { done, value } = reading.next();
    if (!done) continue;
    if (!value.ok) throw new Error(JSON.stringify(value.problem));
    return value.session;
  }
}

/** The suggestions after the check of the catalog, if the catalog may be checked. */
async function suggested(session: ExportedSession) {
  const index = new ToolIndex(session.catalog.tools);
  const sources = suggesterDepsOf(session, {
    search: { find: findIn(index), settled: async () => {} },
    clock: { pause: async () => {}, now: () => 0 },
  });
  const suggester = new Suggester(sources, () => {});
  let view = suggester.view(TEXT, new Set());
  while (view.tools.checked < view.tools.total) {
    await Promise.resolve();
    view = suggester.view(TEXT, new Set());
  }
  return view;
}

describe('what is suggested of an exported session', () => {
  it('has the same suggestions, with or without what was said', async () => {
    const before = await suggested(SESSION);
    expect(before.items.map(({ id }) => id)).toEqual(['defer c/weather', 'results 2', 'thin b/search_users']);
    for (const contents of [true, false]) {
      const text = [...writeSession(SESSION, { ...OPTIONS, contents })].join('');
      expect(await suggested(reopened(text))).toEqual(before);
    }
  });

  it('takes a tool for mode’s choice if the file doesn’t say', async () => {
    const file = JSON.parse([...writeSession(SESSION, OPTIONS)].join(''));
    delete file.maxResults;
    delete file.maxResultsLimit;
    for (const tool of file.tools) delete tool.rule;
    const { items, tools } = await suggested(reopened(JSON.stringify(file)));
    expect(items.map(({ id }) => id)).toEqual(['thin b/search_users']);
    // The tools that no rule suggests remain left out.
    expect(tools.total).toBe(3);
  });
});
