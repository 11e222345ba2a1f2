/**
 * Draws the inspector with invented data in every section, theme and width, into test-results/preview, and runs axe
 * with colour contrast on each: `node test/webview/preview.mjs [part of the pictures' names] [widths, by commas]
 * [language]`.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openBrowser } from '../vscode/harness/browser.mjs';
import { startDrawing, THEMES } from './drawing.mjs';
import { SHOTS } from './shots.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const out = path.join(root, 'test-results/preview');
const only = process.argv[2] ?? '';
const widths = process.argv[3]?.split(',').map(Number) ?? [1342, 735, 320];
const language = process.argv[4];

await rm(out, { recursive: true, force: true });
const drawing = await startDrawing(path.join(out, 'assets'));
const browser = await openBrowser();
const { page } = browser;
await page.emulateMedia({ reducedMotion: 'reduce' });
let shown = '';
page.on('console', (message) => message.type() === 'error' && report(`${shown}: ${message.text()}`));
page.on('pageerror', (error) => report(`${shown}: ${error}`));
let problems = 0;
for (const theme of Object.keys(THEMES)) {
  for (const width of widths) {
    for (const shot of SHOTS) {
      const name = `${shot.name}-${theme}-${width}`;
      if (!(shot.themes ?? Object.keys(THEMES)).includes(theme) || !name.includes(only)) continue;
      shown = name;
      await page.setViewportSize({ width, height: 820 });
      await page.goto(drawing.address(shot, theme, language));
      await page.waitForSelector('[role=tabpanel]');
      await page.waitForTimeout(250);
      if (shot.click)
        await page
          .locator(shot.click)
          .locator('visible=true')
          .first()
          .click({ timeout: 2000 })
          .catch(() => {});
      if (shot.full) {
        const height = await page.evaluate(() => document.querySelector('.page').scrollHeight);
        await page.setViewportSize({ width, height });
      }
      await page.screenshot({ path: path.join(out, `${name}.png`) });
      const wide = await page.evaluate(() =>
        ['html', 'header', '.page'].filter((name) => {
          const { scrollWidth, clientWidth } = document.querySelector(name);
          return scrollWidth > clientWidth;
        }),
      );
      if (wide.length > 0) report(`${name}: ${wide} is wider than the panel`);
      await page.addScriptTag({ url: drawing.axe });
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      for (const violation of violations) {
        report(
          `${name}: ${violation.id}: ${violation.nodes.length} × ${violation.nodes[0].html.slice(0, 160)}\n  ${violation.nodes[0].failureSummary}`,
        );
      }
    }
  }
}
await browser.close();
await drawing.close();
console.log(`${problems} problems; pictures in ${path.relative(root, out)}`);
process.exitCode = problems > 0 ? 1 : 0;

function report(text) {
  problems++;
  console.log(text);
}
