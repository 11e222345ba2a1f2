// Whole pages as outlines, and what each of their controls does. A change of a page changes its file: review it, and
// write the files again with `npm run webview -- test/webview/pages.test.tsx -u`.
import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Answer } from '../../src/inspector/protocol/messages';
import type { ToHost } from '../../src/inspector/protocol/requests';
import { changes } from '../data/rows';
import { FIXTURE_STATES, fixtureDetail, fixtureState, SERVERS } from './fixture';
import { openInspector } from './open';
import { lineOf as label, outline } from './outline';
import { EXPLAINED_ANSWER, TOOL_ANSWER } from './playAnswers';

const PLAY = { query: 'list xyzzy issue', tool: 'forge/get_issue' };
const TOOLS = { section: 'tools', filter: '@library', openTools: ['library/read_note'] };
const CALLED = { section: 'tools', filter: '@harbour calls:>0', openTools: ['harbour/logs_of_pod'] };
/** A page with its state, its place, and the media query that matches. */
type Page = readonly [name: string, state: string, place: { readonly [field: string]: unknown }, media?: string];
/** Pages whose controls do what they do on others. */
const STATES = ['cache', 'failed', 'nomodel', 'error', 'loss'].map(
  (name): Page => [`state-${name}`, name, name === 'loss' ? { turn: 1 } : {}],
);
/** The pages of each section. After the first one, only what differs from it is kept. */
const PAGES: { readonly [section: string]: readonly Page[] } = {
  turns: [
    ['turns', '', {}],
    ['turns-narrow', 'failed', {}, 'max-width: 599px'],
    ['turns-wide', 'cache', { turn: 1 }, 'min-width: 1100px'],
    ['scripts', 'scripts', {}],
    ...['noturns', 'loading', 'empty', 'untrusted'].map((name): Page => [name, name, {}]),
    ...STATES,
  ],
  tools: [
    ['tools', 'error', CALLED],
    ['tools-empty', 'empty', { section: 'tools' }],
    ['tools-closed', 'error', { section: 'tools', closedServers: Object.keys(SERVERS) }],
    ['tools-by-tokens', '', { ...TOOLS, grouped: false, sort: { key: 'tokens', descending: true } }],
  ],
  playground: [
    ['play', 'diagnosed', { section: 'playground' }],
    ['play-query', '', { section: 'playground', play: { ...PLAY, mode: 'query' } }],
    ['play-tool', '', { section: 'playground', play: { ...PLAY, mode: 'tool' } }],
  ],
};
const CONTROLS = 'button, summary, [type=radio], [type=checkbox], select';
const BOXES =
  '[role=listbox], [role=row], [role=combobox], [data-hit], [type=radio], [type=text], .story, .chips button';
/** The number of changed lines of a step from which only their number is kept. */
const MANY = 40;
/** The number of lines told before from which only their number is kept. */
const FEW = 4;
const KEYS = 'ArrowDown ArrowRight ArrowUp ArrowLeft ArrowLeft End Home PageDown PageUp Enter Escape'.split(' ');

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

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What the first page showed, and each step and line of all. */
type Told = { first: readonly string[]; readonly steps: Set<string>; readonly lines: Set<string> };

/** Returns the lines that are new; of too many of a step, and of those known, only the number. */
function newOnes(lines: readonly string[], known: Set<string>, isOpened: boolean): readonly string[] {
  const textOf = (line: string) => line.replace(/^[+-] | +/, '');
  const fresh = lines.filter((line) => !known.has(textOf(line)));
  if (!isOpened && fresh.length > MANY) return [`${lines.length} changes`];
  for (const line of fresh) known.add(textOf(line));
  const old = lines.length - fresh.length;
  return old > FEW ? [...fresh, `${old} changes as before`] : lines;
}

/** Returns the next control, from the page’s end on, of which each kind is pressed twice at most. */
function nextControl(container: HTMLElement, pressed: Map<string, number>): HTMLElement | undefined {
  return [...container.querySelectorAll<HTMLElement>(CONTROLS)].findLast((each) => {
    const kind = label(each).replace(/ \[(title|aria-(?!expanded)|style|data-|tabindex|value)[^\]]*\]/g, '');
    const times = pressed.get(kind) ?? 0;
    if (times > 1 || pressed.has(label(each)) || each.getAttribute('role') === 'tab') return false;
    pressed.set(kind, times + 1).set(label(each), 9);
    return true;
  });
}

/** Opens a page, uses each of its controls, and tells what was shown and done, unless an earlier page told it. */
function walk(page: Page, earlier: Told): string[] {
  const [, state, place, media] = page;
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(new EventTarget(), { matches: query === `(${media})` }));
  const opened = openInspector((FIXTURE_STATES[state] ?? fixtureState)(), place);
  const { container, posted, requests, receive, remembered } = opened;
  const told: string[] = [];
  let [seen, heard, kept, focus] = [earlier.first, 0, '{}', ''];
  /** The steps after which the page looked the same. */
  const looks = new Map<string, string>();
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
      if (JSON.stringify(value) !== JSON.stringify(before[field])) news.push(`keeps ${field} ${JSON.stringify(value)}`);
    kept = JSON.stringify(nav);
    const at = label(document.activeElement ?? document.body);
    if (at !== focus) news.push(`focus ${at}`);
    focus = at;
    let lines: readonly string[] = [];
    if (isWhole) {
      const now = outline(container);
      const alike = looks.get(now.join('\n'));
      const isSame = now.join('\n') === seen.join('\n');
      looks.set(now.join('\n'), alike ?? what);
      if (alike !== undefined && !isSame) news.push(`looks as after: ${alike}`);
      else lines = seen.length > 0 ? changes(seen, now) : now;
      lines = newOnes(lines, earlier.lines, what === 'opened');
      seen = now;
    }
    if (news.length === 0 && lines.length === 0) return;
    const step = [[what, ...news].join(' · '), ...lines.map((line) => ` ${line}`)].join('\n');
    if (!earlier.steps.has(step)) told.push(step);
    earlier.steps.add(step);
  };
  tell('opened');
  if (earlier.first.length === 0) earlier.first = seen;
  if (STATES.includes(page)) {
    opened.unmount();
    return told;
  }
  const pressed = new Map<string, number>();
  const next = () => nextControl(container, pressed);
  const tab = container.querySelector('[role=tab][aria-selected=true]') as Element;
  for (let control = next(); control; control = next()) {
    const what = `press ${label(control)}`;
    fireEvent.click(control);
    const isElsewhere = tab.getAttribute('aria-selected') !== 'true';
    tell(what, !isElsewhere);
    if (isElsewhere) fireEvent.click(tab);
  }
  for (const box of container.querySelectorAll<HTMLElement>(BOXES)) {
    if (box.tabIndex !== 0 || !box.isConnected) continue;
    box.focus();
    for (const key of [...KEYS, ' ']) {
      fireEvent.keyDown(document.activeElement as Element, { key });
      tell(`${key} from ${label(box)}`, false);
    }
    if (!box.matches('[type=text]')) continue;
    for (const value of ['issue', 'nonesuch', 'a:b']) {
      fireEvent.change(box, { target: { value } });
      tell(`type ${value}`);
    }
    fireEvent.keyDown(box, { key: 'Escape' });
    tell('leave');
  }
  opened.unmount();
  return told;
}

// Pressing all controls takes minutes on a busy machine.
it.each(Object.entries(PAGES))('the section “%s” is as before', { timeout: 600_000 }, async (_, pages) => {
  const told: Told = { first: [], steps: new Set(), lines: new Set() };
  for (const page of pages)
    await expect(`${walk(page, told).join('\n')}\n`).toMatchFileSnapshot(`pages/${page[0]}.txt`);
});
