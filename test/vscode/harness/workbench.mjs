// Drives VS Code's window as a user does: command palette, quick picks, themes, notifications, and the inspector.
import { hasResponses } from './chat.mjs';
import { visibleText } from './text.mjs';
import { until } from './wait.mjs';

/**
 * Runs a command by its title from the command palette, as a user does. Steps that are no part of a scenario use
 * `session.run`.
 */
export async function command(page, title) {
  const input = page.locator('.quick-input-widget input').first();
  const typed = async () => ((await input.isVisible()) ? input.inputValue({ timeout: 1_000 }).catch(() => '') : '');
  const row = page
    .locator('.quick-input-widget .monaco-list-row', { has: page.getByText(title, { exact: true }) })
    .first();
  await leave(page);
  // A webview or notification that takes the focus closes the palette, so each step checks again.
  await untilHeard(
    `the command palette to offer '${title}'`,
    async () => {
      const text = await typed();
      if (text.startsWith('>') && text !== `>${title}`)
        await input.fill(`>${title}`, { timeout: 1_000 }).catch(() => {});
      return text === `>${title}` && (await row.isVisible());
    },
    // A key that is pressed while a webview takes the focus and is still loading is lost. F1 closes another quick pick
    // that may still be open. A palette that was opened before the extension was known never lists its commands.
    async () => {
      if ((await typed()).startsWith('>')) await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
    },
  );
  // Clicks once without waiting: a click that waits for its effect doesn't show whether it was received.
  const { x, y, width, height } = await row.boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  // The command may open another quick pick in the same widget.
  await until(`the command palette to run '${title}'`, async () => (await typed()) !== `>${title}`);
}

/** Moves the mouse away. Over a row, VS Code would show a hover that covers the next row. */
const leave = (page) => page.mouse.move(0, 0);

/** Presses a key, and again if it had no effect. `press` returns false while it is too soon. */
async function untilHeard(what, holds, press) {
  const PATIENCE_MS = 3_000;
  let pressed = 0;
  await until(what, async () => {
    if (await holds()) return true;
    if (Date.now() - pressed > PATIENCE_MS) {
      if ((await press()) !== false) pressed = Date.now();
    }
    return false;
  });
}

/** Waits for a notification with this text. */
export async function untilNotified(page, text) {
  await page.locator('.notification-list-item', { hasText: text }).first().waitFor();
}

/** Types into the quick pick with this placeholder, once it is open. */
export async function typeInQuickPick(page, placeholder, text) {
  await page.locator(`.quick-input-widget input[placeholder="${placeholder}"]`).fill(text);
}

/** The rows of the open quick pick, as text. */
export const quickPickRows = (page) => page.locator('.quick-input-widget .monaco-list-row');

/** Chooses a row of the open quick pick by a text in it. */
export async function pick(page, text) {
  await leave(page);
  await quickPickRows(page).filter({ hasText: text }).first().click();
}

/** The polls after which the file dialog keeps a path: it fills in its own while it reads the folder. */
const SETTLED_POLLS = 2;

/** Answers VS Code's simple file dialog with a whole path. The web has this dialog in place of the system's. */
export async function chooseFile(page, title, file) {
  const widget = page.locator('.quick-input-widget', { hasText: title });
  const input = widget.locator('input').first();
  await input.waitFor();
  // The dialog fills in the folder by itself once it has read it, and again after each change. It may still be reading
  // when Enter is pressed. A second Enter during the first one's work would choose twice.
  let polls = 0;
  await untilHeard(
    `the file dialog '${title}' to take ${file}`,
    async () => {
      if (!(await widget.isVisible())) return true;
      const stands = (await input.inputValue({ timeout: 1_000 }).catch(() => '')) === file;
      polls = stands ? polls + 1 : 0;
      if (!stands) await input.fill(file, { timeout: 1_000 }).catch(() => {});
      return false;
    },
    async () => polls >= SETTLED_POLLS && input.press('Enter', { timeout: 1_000 }).catch(() => {}),
  );
}

/** VS Code's own themes: the setting's value, and the class of a window that uses the theme. */
const THEMES = {
  light: { setting: 'Light Modern', className: 'vscode-theme-defaults-themes-light_modern-json' },
  dark: { setting: 'Dark Modern', className: 'vscode-theme-defaults-themes-dark_modern-json' },
  'high contrast': { setting: 'Default High Contrast', className: 'vscode-theme-defaults-themes-hc_black-json' },
  'high contrast light': {
    setting: 'Default High Contrast Light',
    className: 'vscode-theme-defaults-themes-hc_light-json',
  },
};
export const THEME_NAMES = Object.keys(THEMES);

/** The user settings that select a theme. */
function themeSettings(theme) {
  return {
    'workbench.colorTheme': THEMES[theme].setting,
    'window.autoDetectColorScheme': false,
    'window.autoDetectHighContrast': false,
  };
}

/** Switches to a theme by the user settings, and waits until the window uses it. */
export async function useTheme(session, theme) {
  await session.changeSettings(themeSettings(theme));
  await session.page.locator(`.monaco-workbench.${THEMES[theme].className}`).waitFor();
  // The workbench fades into its colours.
  await session.page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  );
}

/** The document inside the Tool Search inspector. */
export const inspector = (page) => page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');

/** A section of the inspector by its name. The tab's own name ends with a count. */
export const tab = (page, name) => inspector(page).getByRole('tab', { name: new RegExp(`^${name}`) });

/** Opens the inspector and waits until it shows something. */
export async function openInspector(session) {
  await session.run('toolsearch.openInspector');
  return untilInspector(session.page);
}

/** Closes the editor in front, or all. */
export const closeEditor = (session) => session.run('workbench.action.closeActiveEditor');
export const closeEditors = (session) => session.run('workbench.action.closeAllEditors');

/** Waits until the inspector has drawn itself. */
export async function untilInspector(page) {
  const frame = inspector(page);
  await until('the inspector to show something', async () => (await inspectorText(page)).length > 0);
  return frame;
}

/** Waits until the inspector's text matches. */
export async function untilInspectorShows(page, pattern) {
  let text = '';
  await until(
    () => `the inspector to show ${pattern}. It shows:\n${text}`,
    async () => {
      text = await inspectorText(page);
      return pattern.test(text);
    },
  );
}

/** The inspector's frame, in whose document tests evaluate code. */
export async function inspectorFrame(page) {
  const body = await inspector(page).locator('body').elementHandle();
  return body.ownerFrame();
}

/** The clipboard's text. */
export async function clipboard(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return page.evaluate(() => navigator.clipboard.readText());
}

/** An item of the status bar by its text. */
export const statusBar = (page, text) => page.locator('.part.statusbar .statusbar-item', { hasText: text }).first();

/** All text that the inspector shows; empty if there is no inspector. */
export async function inspectorText(page) {
  return visibleText(inspector(page).locator('body'), { timeout: 1_000 }).catch(() => '');
}

/**
 * Reloads the window with VS Code's command, which first saves the editors and the chats, unlike the browser's own
 * reload. Waits twice for a conversation: until VS Code has saved it, which happens every few seconds, and until it is
 * shown again, since an earlier question would begin a new conversation.
 */
export async function reload(session) {
  const conversation = await hasResponses(session.page);
  await session.untilSaved();
  await session.forgetReady();
  await session.run('workbench.action.reloadWindow', { andEnd: true });
  await session.untilReady();
  if (conversation) await until('the conversation to be restored', () => hasResponses(session.page));
}
