// Whole pages as outlines, and what each of their controls does. A change of a page changes its file: review it, and
// write the files again with `npm run webview -- test/webview/pages.test.tsx -u`.
import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Answer } from '../../src/inspector/protocol/messages';
import type { ToHost } from '../../src/inspector/protocol/requests';
import { FIXTURE_STATES, fixtureDetail, fixtureState, SERVERS } from './fixture';
import { openInspector } from './open';
import { changes, lineOf as label, outline } from './outline';
import { EXPLAINED_ANSWER, TOOL_ANSWER } from './playAnswers';

const PLAY = { query: 'list xyzzy issue', tool: 'forge/get_issue' };
const TOOLS = { section: 'tools', filter: '@library', openTools: ['library/read_note'] };
/** A page with its state, its place, and the media query that matches. */
type Page = readonly [name: string, state: string, place: { readonly [field: string]: unknown }, media?: string];
const PAGES: readonly Page[] = [
  ['turns', '', {}],
  ['turns-narrow', 'failed', {}, 'max-width: 599px'],
  ['turns-wide', 'cache', { turn: 1 }, 'min-width: 1100px'],
  ['scripts', 'scripts', {}],
  ...['noturns', 'loading', 'empty', 'untrusted'].map((name): Page => [name, name, {}]),
  ['tools-empty', 'empty', { section: 'tools' }],
  ['tools-closed', 'error', { section: 'tools', closedServers: Object.keys(SERVERS) }],
  ['tools', 'error', TOOLS],
  ['tools-by-tokens', '', { ...TOOLS, grouped: false, sort: { key: 'tokens', descending: true } }],
  ['play', 'diagnosed', { section: 'playground' }],
  ['play-query', '', { section: 'playground', play: { ...PLAY, mode: 'query' } }],
  ['play-tool', '', { section: 'playground', play: { ...PLAY, mode: 'tool' } }],
];
/** Pages of which only the difference to the newest turn's page is kept. */
const STATES = ['cache', 'failed', 'nomodel', 'error', 'loss'];
const CONTROLS = 'button, summary, [type=radio], [type=checkbox], select';
const BOXES = '[role=listbox], [role=row], [role=combobox], [data-hit], [type=radio], [type=text], .story';
/** The number of changed lines from which only their number is kept. */
const MANY = 100;
const KEYS = 'ArrowDown ArrowRight ArrowUp ArrowLeft End Home PageDown PageUp Enter Escape'.split(' ');

/** Answers a request as the host does. */
function answerTo(message: ToHost): Answer | undefined {
  if (message.type === 'getTool') return { type: 'tool', detail: fixtureDetail(message.id) };
  if (message.type === 'tryTool') return { type: 'tried', id: message.id, run: { outcome: 'failed', output: 'No.' } };
  if (message.type === 'play')
    return { type: 'played', answer: message.question.mode === 'tool' ? TOOL_ANSWER : EXPLAINED_ANSWER };
  if (message.type !== 'getExchange' || message.whole) return undefined;
  const part = { role: 'user' as const, text: 'Why is it red?', chars: 20_000 };
  const tool = {
    name: 'search_tools',
    tokens: { value: 90, certainty: 'estimated' as const },
    ours: true,
    deferred: true,
  };
  const { turn, round } = message;
  return {
    type: 'exchange',
    exchange: { turn, round, sent: [part], tools: [tool], toolCount: 2, reply: [{ ...part, role: 'call', name: 'x' }] },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each(STATES)('the page in the state “%s” looks as before', async (name) => {
  const pages = [fixtureState(), (FIXTURE_STATES[name] ?? fixtureState)()].map((state, index) => {
    const { container, unmount } = openInspector(state, name === 'loss' && index > 0 ? { turn: 1 } : {});
    const lines = outline(container);
    unmount();
    return lines;
  });
  const [usual = [], now = []] = pages;
  await expect(`${changes(usual, now).join('\n')}\n`).toMatchFileSnapshot(`pages/state-${name}.txt`);
});

it.each(PAGES.map(([name, state, place, media]) => ({ name, state, place, media })))(
  'the page $name looks and acts as before',
  async ({ name, state, place, media }) => {
    vi.stubGlobal('matchMedia', (query: string) =>
      Object.assign(new EventTarget(), { matches: query === `(${media})` }),
    );
    const opened = openInspector((FIXTURE_STATES[state] ?? fixtureState)(), place);
    const { container, posted, requests, receive, remembered } = opened;
    const told: string[] = [];
    let [seen, heard, kept]: [readonly string[], number, string] = [[], 0, '{}'];
    /** Answers the page's requests, and tells what has changed: its lines too, unless it shows something else. */
    const tell = (what: string, isWhole = true) => {
      const news: string[] = [];
      for (; heard < posted.length; heard++) {
        const message = posted[heard] as ToHost;
        news.push(`sends ${JSON.stringify(message)}`);
        const answer = answerTo(message);
        if (answer) receive({ ...answer, request: requests[heard] as number });
      }
      const nav = remembered() as { readonly [field: string]: unknown };
      const before = JSON.parse(kept);
      for (const [field, value] of Object.entries(nav))
        if (JSON.stringify(value) !== JSON.stringify(before[field]))
          news.push(`keeps ${field} ${JSON.stringify(value)}`);
      kept = JSON.stringify(nav);
      if (isWhole) {
        const now = outline(container);
        const lines = told.length === 0 ? now : changes(seen, now);
        news.push(...(told.length > 0 && lines.length > MANY ? [`${lines.length} changes`] : lines));
        seen = now;
      }
      if (news.length > 0)
        told.push(what, ...news.map((line) => ` ${line}`), ` focus ${label(document.activeElement ?? document.body)}`);
    };
    tell('opened');
    const pressed = new Map<string, number>();
    /** The next control, from the page’s end on, of which each kind is pressed twice at most. */
    const next = () =>
      [...container.querySelectorAll<HTMLElement>(CONTROLS)].findLast((each) => {
        const kind = label(each).replace(/ \[(title|aria-(?!expanded)|style|data-|tabindex|value)[^\]]*\]/g, '');
        const times = pressed.get(kind) ?? 0;
        if (times > 1 || pressed.has(label(each)) || each.getAttribute('role') === 'tab') return false;
        pressed.set(kind, times + 1).set(label(each), 9);
        return true;
      });
    const tab = container.querySelector('[role=tab][aria-selected=true]') as Element;
    for (let control = next(); control; control = next()) {
      fireEvent.click(control);
      const isElsewhere = tab.getAttribute('aria-selected') !== 'true';
      tell(`press ${label(control)}`, !isElsewhere);
      if (isElsewhere) fireEvent.click(tab);
    }
    for (const box of container.querySelectorAll<HTMLElement>(BOXES)) {
      if (box.tabIndex !== 0 || !box.isConnected) continue;
      box.focus();
      for (const key of [...KEYS, ' ']) {
        fireEvent.keyDown(document.activeElement as Element, { key });
        tell(`${key} from ${label(box)}`, false);
      }
    }
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(`pages/${name}.txt`);
  },
);
