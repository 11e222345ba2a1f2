import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startDrawing } from '../../webview/drawing.mjs';
import { SHOTS } from '../../webview/shots.mjs';
import { unreadable, untilStill } from '../../webview/unreadable.mjs';
import { openBrowser } from '../harness/browser.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';

/** The size of a side bar that the user has made narrow. */
const NARROW = { width: 360, height: 820 };
/**
 * The sizes of small panels, some with the pixels that must remain visible. The last two are 1100 × 660 and 800 × 600
 * at a zoom of 200 %, which halves the page's size.
 */
const SMALL = [
  [320, 400],
  [700, 450],
  [550, 330, 96],
  [400, 300],
];
/** Pixels that must remain visible: two rows of any list. */
const LEAST_SEEN = 48;
const SECTIONS = ['turns', 'tools', 'playground'];

// The inspector is drawn by a browser, since only a browser knows how wide a text is. It needs no VS Code, whose
// language packs aren't on npm.
describe('the inspector in German, in a narrow column', () => {
  const folder = temporaryFolder('drawing');
  // Opened when a test runs: if a pattern excludes all tests, node:test runs `before` hooks but no `after` hooks.
  let opened;
  const open = async () => {
    const [drawing, browser] = await Promise.all([startDrawing(folder.path), openBrowser(NARROW)]);
    return { drawing, browser };
  };
  after(async () => {
    const { browser, drawing } = (await opened) ?? {};
    await browser?.close();
    await drawing?.close();
    await folder.remove();
  });

  // Hostile names are cut on purpose.
  for (const shot of SHOTS.filter(({ state }) => state !== 'hostile')) {
    test(`no words are cut: ${shot.name}`, { timeout: 60_000 }, async () => {
      opened ??= open();
      const { drawing, browser } = await opened;
      const { page } = browser;
      await page.goto(drawing.address(shot, 'dark', 'de'));
      await page.locator('[role=tabpanel]').waitFor();
      if (shot.click && shot.clickWhere !== 'wide')
        await page.locator(shot.click).locator('visible=true').first().click();
      await page.evaluate(untilStill);
      assert.deepEqual(await page.evaluate(unreadable), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), NARROW.width);
    });
  }

  for (const [width, height, leastSeen = LEAST_SEEN] of SMALL) {
    test(`shows something of each section at ${width} × ${height}`, { timeout: 60_000 }, async () => {
      opened ??= open();
      const { drawing, browser } = await opened;
      const { page } = browser;
      await page.setViewportSize({ width, height });
      for (const section of SECTIONS) {
        await page.goto(drawing.address({ nav: { section } }, 'dark', 'de'));
        await page.locator('[role=tabpanel]').waitFor();
        await page.evaluate(untilStill);
        const seen = height - (await page.locator('[role=tabpanel]').boundingBox()).y;
        assert.ok(seen >= leastSeen, `${section}: ${seen} pixels are in sight`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, section);
        await page.mouse.move(width / 2, height / 2);
        await page.mouse.wheel(0, 10_000);
        await page.evaluate(untilStill);
        const { y, height: header } = await page.locator('header').boundingBox();
        assert.deepEqual([y, header], [0, 40], section);
      }
    });
  }

  test('the rows of a story share columns if all fit', { timeout: 60_000 }, async () => {
    opened ??= open();
    const { drawing, browser } = await opened;
    await browser.page.setViewportSize({ width: 1100, height: 820 });
    for (const shot of SHOTS.filter(({ name }) => /^(turns|script)/.test(name))) {
      await browser.page.goto(drawing.address(shot, 'dark'));
      await browser.page.locator('.ev').first().waitFor();
      const ends = await browser.page
        .locator('.ev .dur')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
      assert.equal(new Set(ends).size, 1, `${shot.name}: ${ends}`);
    }
  });
});
