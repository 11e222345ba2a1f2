// Measures the inspector in a real VS Code: npm run bench -- inspector
// It gives the page a session of 500 turns over 10,000 tools, and opens a webview panel with only text, which is the
// minimum of any panel. Both figures depend on the machine, so their ratio counts.
import path from 'node:path';
import { build } from 'esbuild';
import { ask } from '../vscode/harness/chat.mjs';
import { ROOT } from '../vscode/harness/paths.mjs';
import { startSession } from '../vscode/harness/session.mjs';
import { temporaryFolder } from '../vscode/harness/temporary.mjs';
import { packageExtension } from '../vscode/harness/vsix.mjs';
import { until } from '../vscode/harness/wait.mjs';
import {
  closeEditor,
  inspector,
  inspectorFrame,
  statusBar,
  untilInspectorShows,
} from '../vscode/harness/workbench.mjs';

const OPENINGS = 5;
/** Minimum milliseconds between two messages of the panel. */
const STEP_MS = 100;
/** Milliseconds until the page has drawn the messages. */
const SETTLED_MS = 1_500;
const SECTIONS = ['Turns', 'Timeline', 'Tools'];
const SETTINGS = { 'toolsearch.searchOnlyModel': 'on', 'chat.defaultModel': 'search-only' };

/** Prints the figures. */
export async function measureInspector() {
  const folder = temporaryFolder('bench');
  const session = await startSession({
    vsix: await packageExtension(),
    workspace: path.join(ROOT, 'sample'),
    settings: SETTINGS,
    browser: { width: 1400, height: 900 },
  });
  try {
    await session.untilReady();
    const { page } = session;
    await session.offerPlainPanel();
    await ask(page, '@toolsearch get-sum a=2 b=40');
    const plain = [];
    const own = [];
    for (let opening = 0; opening < OPENINGS; opening++) {
      plain.push(await openingTime(session, 'Plain Panel'));
      own.push(await openingTime(session, /\d of \d+ tools/));
    }
    console.log(`Click to first meaningful paint, inspector      ${median(own)} ms (${own.join(', ')})`);
    console.log(`Click to first paint, panel of plain text       ${median(plain)} ms (${plain.join(', ')})`);

    await statusBar(page, 'Plain Panel').click();
    const peer = await scrolling(page, await inspectorFrame(page));
    await closeEditor(session);
    console.log(`Frames while scrolling, panel of plain text     ${peer}`);

    await session.blocks();
    await ask(page, '@toolsearch get-sum a=1 b=1');
    console.log(`Extension host works on end during a turn       ${await longestWork(session)} ms`);
    await statusBar(page, /\d of \d+ tools/).click();
    const frame = await until('the inspector to be there', () => inspectorFrame(page).catch(() => undefined));
    const { first, steps } = await streamedMessages(folder.path);
    await frame.evaluate(receive, first);
    await untilInspectorShows(page, /Turn 500/);
    for (const name of SECTIONS) {
      await inspector(page)
        .getByRole('tab', { name: new RegExp(`^${name}`) })
        .click();
      console.log(`Frames while scrolling, ${name.padEnd(24)}${await scrolling(page, frame)}`);
    }

    // Passes all steps at once, before the measurement: this blocks the page, as no real host does.
    await frame.evaluate((all) => {
      globalThis.steps = all;
    }, steps);
    await page.waitForTimeout(SETTLED_MS);
    await frame.evaluate(startStream, STEP_MS);
    for (const name of SECTIONS) {
      await inspector(page)
        .getByRole('tab', { name: new RegExp(`^${name}`) })
        .click();
      console.log(`… while a turn streams, ${name.padEnd(24)}${await scrolling(page, frame)}`);
    }
    console.log(
      `Patches meanwhile                               ${await frame.evaluate(() => globalThis.streamed)}, one each ${STEP_MS} ms`,
    );
  } finally {
    await session.close();
    folder.remove();
  }
}

/** The longest time since the last call that the extension host's thread worked without a pause, in milliseconds. */
async function longestWork(session) {
  return (await session.blocks()).block;
}

/** The messages that the host would send of such a session during a long turn. */
async function streamedMessages(folder) {
  const outfile = path.join(folder, 'stream.mjs');
  const entryPoints = [path.join(ROOT, 'test/bench/stream.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  const { streamed } = await import(outfile);
  return streamed({ turns: 500, tools: 10_000, searches: 60 });
}

/** Runs in the webview: dispatches these messages as the host would. */
function receive(messages) {
  for (const data of messages) window.dispatchEvent(new MessageEvent('message', { data }));
}

/** Runs in the webview: dispatches one step after the other, as the host would. */
function startStream(everyMs) {
  globalThis.streamed = 0;
  setInterval(() => {
    for (const data of globalThis.steps[globalThis.streamed++] ?? [])
      window.dispatchEvent(new MessageEvent('message', { data }));
  }, everyMs);
}

/**
 * Milliseconds from a click in the status bar to the largest paint in the panel that it opens. Closes the panel again.
 */
async function openingTime(session, item) {
  const { page } = session;
  await page.evaluate(() => {
    addEventListener('mousedown', (event) => (globalThis.clickedAt = performance.timeOrigin + event.timeStamp), {
      capture: true,
      once: true,
    });
  });
  await statusBar(page, item).click();
  const frame = await until('the panel to be there', () => inspectorFrame(page).catch(() => undefined));
  const paintedAt = await until('the panel to be painted', () =>
    frame.evaluate(async () => {
      if (!document.querySelector('main')) return undefined;
      const entries = await new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
        setTimeout(() => resolve([]), 500);
      });
      const last = entries.at(-1);
      return last && performance.timeOrigin + last.startTime;
    }),
  );
  const clickedAt = await page.evaluate(() => globalThis.clickedAt);
  await closeEditor(session);
  return Math.round(paintedAt - clickedAt);
}

/** Turns the wheel for two seconds. Returns the duration of the frames. */
async function scrolling(page, frame) {
  // In the inspector, header and section scroll together. The panel of plain text scrolls its main element.
  const own = frame.locator('.page');
  const box = await ((await own.count()) > 0 ? own : frame.locator('main')).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  // Waits until the section has been drawn.
  await frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await frame.evaluate(() => {
    globalThis.frames = [];
    globalThis.running = true;
    let last;
    const tick = (now) => {
      if (last !== undefined) globalThis.frames.push(now - last);
      last = now;
      if (globalThis.running) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  for (let turn = 0; turn < 100; turn++) await page.mouse.wheel(0, 300);
  const work = longestTask(JSON.parse((await browser.stopTracing()).toString()).traceEvents);
  const frames = await frame.evaluate(() => {
    globalThis.running = false;
    return globalThis.frames;
  });
  const sorted = [...frames].sort((a, b) => a - b);
  const at = (share) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  const scrolled = await frame.evaluate(
    () => (document.querySelector('.page') ?? document.querySelector('main')).scrollTop,
  );
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms (work ${work} ms), of ${sorted.length} frames over ${Math.round(scrolled)} pixels`;
}

/** The longest task of a page's main thread, which excludes other processes of the machine. */
function longestTask(events) {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(({ ph, pid, tid, tdur }) => ph === 'X' && tdur && mains.has(`${pid} ${tid}`));
  return (Math.max(0, ...tasks.map(({ tdur }) => tdur)) / 1000).toFixed(0);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
