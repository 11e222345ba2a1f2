import { visibleText } from './text.mjs';
import { until } from './wait.mjs';

const VIEW = '.part.auxiliarybar .interactive-session';
const RESPONSES = `${VIEW} .monaco-list-row:has(.interactive-response)`;

/** VS Code holds a question back until every new server has started, or the user skips those that hang. */
const SERVER_PATIENCE_MS = 15_000;

export const chatView = (page) => page.locator('.part.auxiliarybar');
export const chatInput = (page) => page.locator(`${VIEW} .interactive-input-part .monaco-editor`).first();
const lastResponse = (page) => page.locator(RESPONSES).last();

/**
 * Asks in the chat view and waits for the answer. Returns the answer's text and how long it took.
 * `confirm` answers VS Code's confirmations of tool calls: 'Allow', 'Skip', or undefined to leave them.
 */
export async function ask(page, text, { confirm = 'Allow', timeoutMs = 60_000 } = {}) {
  const start = Date.now();
  await submit(page, text);
  let clicked = 0;
  await until(
    async () => `an answer to '${text}'. The chat shows: ${JSON.stringify(await shown(page))}`,
    async () => {
      if (confirm && (await clickConfirmation(page, confirm))) clicked++;
      if (Date.now() - start > SERVER_PATIENCE_MS) await skipStartingServers(page);
      return isAnswered(page);
    },
    timeoutMs,
  );
  return { text: await shown(page), ms: Date.now() - start, confirmations: clicked };
}

/** Types a question and sends it, without waiting for the answer. Waits until its (empty) response is in the list. */
export async function submit(page, text) {
  const before = await lastIndex(page);
  await type(page, text);
  await send(page, before);
  await until(`a response to '${text}' to begin`, async () => (await lastIndex(page)) > before);
}

/** Stops the question that is being answered, with the chat's own button. */
export async function cancel(page) {
  await page.locator(`${VIEW} .interactive-input-part .codicon-stop-circle`).first().click();
  await until('the response to be complete', () => isAnswered(page));
}

/** Whether the last response is complete. */
export async function isAnswered(page) {
  return page.evaluate((responses) => {
    const last = [...document.querySelectorAll(responses)].at(-1);
    return !!last && !last.querySelector('.chat-response-loading');
  }, RESPONSES);
}

/** What the last response says, as text. */
export async function shown(page) {
  const rows = page.locator(RESPONSES);
  if ((await rows.count()) === 0) return '';
  return visibleText(rows.last());
}

/** VS Code folds the steps of an answer away a second or two after it is there. */
const FOLD_MS = 3_000;

/** What a person reads who looks at the answer when it is there and VS Code has folded its steps away. */
export async function said(page) {
  await until('the answer', () => isAnswered(page));
  await page.waitForTimeout(FOLD_MS);
  return shown(page);
}

/** Whether the last response ended in VS Code's error line. */
export async function failure(page) {
  const error = lastResponse(page).locator('.chat-error-codicon, .interactive-response-error-details, .chat-warning-codicon');
  return (await error.count()) > 0;
}

/** Starts an empty conversation with the chat view's own button: the command palette has several of that name. */
export async function newChat(page) {
  await page.locator('.part.auxiliarybar .title-actions a.action-label[aria-label^="New Chat"]').first().click();
  await page.locator(RESPONSES).first().waitFor({ state: 'detached' });
}

/** Chooses an agent from the chat's picker. */
export async function chooseAgent(page, name) {
  const input = page.locator(`${VIEW} .interactive-input-part`);
  await input.getByText('Agent', { exact: true }).first().click();
  // The list stands at the end of the page.
  await page.getByText(name, { exact: true }).last().click();
  await input.getByText(name, { exact: true }).first().waitFor();
}

/** Whether the chat view shows a conversation. */
export async function hasResponses(page) {
  return (await lastIndex(page)) >= 0;
}

/** The list is virtual, so responses can't be counted: their index tells which is new. */
async function lastIndex(page) {
  const rows = page.locator(RESPONSES);
  if ((await rows.count()) === 0) return -1;
  return Number(await rows.last().getAttribute('data-index'));
}

async function type(page, text) {
  await dismissNotifications(page);
  await chatInput(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
  await until('the question to stand in the chat input', async () => (await inputText(page)).length > 0);
}

/** VS Code's notifications stand over the chat's input. */
async function dismissNotifications(page) {
  const close = page.locator('.notifications-toasts.visible .notification-list-item .codicon-notifications-clear');
  await until('the notifications to be gone', async () => {
    if ((await close.count()) === 0) return true;
    await page
      .locator('.notifications-toasts.visible .notification-list-item')
      .first()
      .hover({ timeout: 1_000 })
      .catch(() => {});
    await close
      .first()
      .click({ timeout: 1_000 })
      .catch(() => {});
    return false;
  });
}

async function inputText(page) {
  return visibleText(chatInput(page).locator('.view-lines'));
}

/**
 * Presses Enter, which goes to the list of suggestions while that is open. A sticky participant leaves its name in the input:
 * so it is a change of the input, or a new response, that tells that the question was taken.
 */
async function send(page, before) {
  const suggestions = chatView(page).locator('.suggest-widget.visible');
  const typed = await inputText(page);
  let pressed = 0;
  await until(
    'the chat input to take the question',
    async () => {
      if ((await inputText(page)) !== typed || (await lastIndex(page)) > before) return true;
      if (await suggestions.count()) await page.keyboard.press('Escape');
      else if (Date.now() - pressed > 1_000) {
        await page.keyboard.press('Enter');
        pressed = Date.now();
      }
      return false;
    },
    10_000,
  );
}

async function skipStartingServers(page) {
  const skip = page.locator(`${VIEW} a`, { hasText: /^Skip\?$/ }).last();
  // It goes away by itself once the servers have started.
  if (await skip.isVisible()) await skip.click({ timeout: 2_000 }).catch(() => {});
}

/** Presses a button of the confirmation that VS Code shows in the chat, if there is one: 'Allow', 'Skip'. */
export async function clickConfirmation(page, label) {
  const button = page.locator(`${VIEW} a.monaco-button`, { hasText: new RegExp(`^${label}`) }).last();
  if (!(await button.isVisible())) return false;
  // It may go away by itself between the look and the click.
  return button.click({ timeout: 2_000 }).then(
    () => true,
    () => false,
  );
}
