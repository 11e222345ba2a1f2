import { chromium } from 'playwright-core';
import { ensureChromium } from './chromium.mjs';
import { temporaryFolder } from './temporary.mjs';
import { TIMEOUT_MS } from './wait.mjs';

/** Opens a headless browser with its own profile, in which VS Code keeps its state across reloads. */
export async function openBrowser({ width = 1400, height = 900, scale = 1 } = {}) {
  const { executablePath, env } = await ensureChromium();
  const profile = temporaryFolder('browser');
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath,
    env: { ...process.env, ...env },
    headless: true,
    viewport: { width, height },
    deviceScaleFactor: scale,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(stopMotion);
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    page,
    async close() {
      await context.close();
      await profile.remove();
    },
  };
}

/** Waits until VS Code's window is there. */
export async function untilWorkbench(page) {
  await page.locator('.monaco-workbench').waitFor();
  await page.locator('.part.statusbar .statusbar-item').first().waitFor();
}

/**
 * Stops the animations that `workbench.reduceMotion` doesn't. Without a graphics card, the processor draws each frame,
 * which takes most of a core as long as something loads.
 */
function stopMotion() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '.progress-bit, .codicon-modifier-spin, .scrollbar { animation: none !important; transition: none !important; }',
  );
  document.adoptedStyleSheets.push(sheet);
}
