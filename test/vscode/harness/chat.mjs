// Drives the chat view as a user does: asks, answers confirmations, and reads answers.
import { visibleText } from './text.mjs';
import { TIMEOUT_MS, until } from './wait.mjs';

const VIEW = '.part.auxiliarybar .interactive-session';
const RESPONSES = `${VIEW} .monaco-list-row:has(.interactive-response)`;

/** VS Code delays a question until every new server has started, or the user skips those that hang. */
const SERVER_PATIENCE_MS = 60_000;
const SKIP = /^Skip\?$/;

const chatView = (page) => page.locator('.part.auxiliarybar');
export const chatInput = (page) => page.locator(`${VIEW} .interactive-input-part .monaco-editor`).first();

/**
 * Asks in the chat view and waits for the answer. Returns the answer's text and how long it took. `confirm` answers VS
 * Code's confirmations of tool calls: 'Allow', 'Skip', or undefined to leave them. `hanging` names servers that never
 * start: they are skipped once VS Code waits for no others. `meanwhile` is called at each poll.
 */
export async function ask(
  page,
  text,
  { confirm = 'Allow', hanging = [], timeoutMs = TIMEOUT_MS, meanwhile = async () => {} } = {},
) {
  const start = Date.now();
  await submit(page, text);
  let clicked = 0;
  await until(
    async () => `an answer to '${text}'. The chat shows: ${JSON.stringify(await shown(page))}`,
    async () => {
      if (confirm && (await answerConfirmation(page, confirm))) clicked++;
      if (Date.now() - start > SERVER_PATIENCE_MS) await skipStartingServers(page);
      else if (hanging.length > 0) await skipStartingServers(page, hanging);
      await meanwhile();
      return isAnswered(page);
    },
    timeoutMs,
  );
  const ms = Date.now() - start;
  return { text: await until('the answer to be drawn', () => shown(page)), ms, confirmations: clicked };
}

/** Milliseconds before anything is repeated, since VS Code may react late on a busy machine. */
const PATIENCE_MS = 5_000;

/**
 * Types a question and sends it, without waiting for the answer. Waits until its (empty) response is in the list. VS
 * Code also writes into the input: the name of a sticky participant, once an answer has ended. So Enter is pressed only
 * while the input holds the question, and a lost question is typed again. While the list of suggestions is open, it
 * receives Enter.
 */
export async function submit(page, text) {
  let before = await latestIndex(page);
  const suggestions = chatView(page).locator('.suggest-widget.visible');
  let acted = Number.NEGATIVE_INFINITY;
  let typed = false;
  let entered = false;
  await until(
    async () => `a response to '${text}' to begin. The input holds: ${JSON.stringify(await inputText(page))}`,
    async () => {
      const last = await latestIndex(page);
      if (entered && last > before) {
        askedAfter.set(page, before);
        return true;
      }
      // A response that exists before Enter belongs to another question.
      if (!entered) before = last;
      // Until it is typed, something else may have the focus, even if the input holds it.
      const holds = typed && endsWith(text, await inputText(page));
      // The question may open a dialog, which another key would close.
      if (entered && Date.now() - acted < PATIENCE_MS) return false;
      if (holds && (await suggestions.count())) await page.keyboard.press('Escape');
      else if (holds) {
        await page.keyboard.press('Enter');
        entered = true;
        acted = Date.now();
      } else {
        await type(page, text);
        typed = true;
      }
      return false;
    },
  );
}

/** Whether the input shows the end of `text`, which it scrolls and wraps. */
function endsWith(text, shownText) {
  const plain = (each) => each.replace(/\s+/g, '');
  return shownText !== '' && plain(text).endsWith(plain(shownText));
}

/** Stops the running question with the chat's own button. */
export async function cancel(page) {
  await page.locator(`${VIEW} .interactive-input-part .codicon-stop-circle`).first().click();
  await until('the response to be complete', () => isAnswered(page));
}

/** Whether the last response is complete. */
export async function isAnswered(page) {
  return (await lastRow(page))?.loading === false;
}

/** The text of the last response. */
export async function shown(page) {
  const last = await lastResponse(page);
  return last ? visibleText(last) : '';
}

/** Milliseconds after which VS Code has folded the steps of a finished answer away. */
const FOLD_MS = 3_000;

/** The text that the user reads once VS Code has folded the finished answer's steps away. */
export async function said(page) {
  await until('the answer', () => isAnswered(page));
  await page.waitForTimeout(FOLD_MS);
  return shown(page);
}

/** Waits until the last answer is as `pattern`, also once VS Code has folded its steps away. Returns the text. */
export function untilSaid(page, pattern) {
  return until(
    async () => `${pattern}. The chat shows: ${JSON.stringify(await shown(page))}`,
    async () => {
      const text = await shown(page);
      return pattern.test(text) && text;
    },
  );
}

/** Whether the last response ended in VS Code's error line. */
export async function failure(page) {
  const last = await lastResponse(page);
  if (!last) return false;
  const error = last.locator('.chat-error-codicon, .interactive-response-error-details, .chat-warning-codicon');
  return (await error.count()) > 0;
}

/** Presses a button or a link in the last answer that has it. */
export async function pressBeneath(page, label) {
  const answer = page.locator(`${VIEW} .interactive-response`);
  await answer.locator('.monaco-button, .rendered-markdown a', { hasText: label }).last().click();
}

/**
 * Starts an empty conversation with the chat view's own button, since the command palette has several commands of that
 * name. The button applies to the chat that last had the focus, and does nothing if that chat was in an editor that is
 * closed. So the view gets the focus first.
 */
export async function newChat(page) {
  askedAfter.delete(page);
  latest.delete(page);
  await dismissNotifications(page);
  await chatInput(page).click();
  await page.locator('.part.auxiliarybar .title-actions a.action-label[aria-label^="New Chat"]').first().click();
  await page.locator(RESPONSES).first().waitFor({ state: 'detached' });
}

/** Chooses an agent from the chat's picker. */
export async function chooseAgent(page, name) {
  const input = page.locator(`${VIEW} .interactive-input-part`);
  // The list is at the end of the page. It has the agents that VS Code knew when it was opened.
  const row = page.getByText(name, { exact: true }).last();
  await until(`the agent ${name} in the picker`, async () => {
    await input.getByText('Agent', { exact: true }).first().click();
    const isListed = await row.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (!isListed) await page.keyboard.press('Escape');
    return isListed;
  });
  await row.click();
  await input.getByText(name, { exact: true }).first().waitFor();
}

/** Whether the chat view shows a conversation. */
export async function hasResponses(page) {
  return (await responses(page)).length > 0;
}

/**
 * The index of the response before the last question, by page. While VS Code redraws its list, the response to a
 * question may be missing, and the complete response before it seems to be the last.
 */
const askedAfter = new WeakMap();

/**
 * The response to the last question: its index, and whether it is still being written; undefined if it isn't in the
 * list.
 */
async function lastRow(page) {
  const [row] = await responses(page);
  return row && row.index > (askedAfter.get(page) ?? -1) ? row : undefined;
}

/**
 * The index of the latest response ever seen in this conversation, by page, and the document in which it was seen.
 * Responses can't be counted, since the list is virtual. While VS Code redraws the list, it is empty or ends with an
 * older response.
 */
const latest = new WeakMap();

async function latestIndex(page) {
  await responses(page);
  return latest.get(page).index;
}

/** The responses in the list, the last first. */
async function responses(page) {
  const { rows, document } = await page.evaluate(
    (selector) => ({
      rows: [...globalThis.document.querySelectorAll(selector)].map((row) => ({
        index: Number(row.getAttribute('data-index')),
        loading: !!row.querySelector('.chat-response-loading'),
      })),
      // A reloaded window may have lost the conversation, and counts from the start.
      document: performance.timeOrigin,
    }),
    RESPONSES,
  );
  rows.sort((a, b) => b.index - a.index);
  const known = latest.get(page);
  const before = known?.document === document ? known.index : -1;
  latest.set(page, { document, index: Math.max(before, rows[0]?.index ?? -1) });
  return rows;
}

async function lastResponse(page) {
  const row = await lastRow(page);
  return row && page.locator(`${RESPONSES}[data-index="${row.index}"]`);
}

async function type(page, text) {
  await dismissNotifications(page);
  await chatInput(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  if (text.includes('\n')) await paste(page, text);
  else await page.keyboard.insertText(text);
}

/** Pastes several lines as they are. If they were typed, VS Code would indent them and close brackets. */
async function paste(page, text) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((all) => navigator.clipboard.writeText(all), text);
  await page.keyboard.press('ControlOrMeta+V');
}

/** Closes VS Code's notifications, which cover the chat's input. */
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

/** Skips the servers that VS Code waits for. With `only`, does so only if all of them are in `only`. */
async function skipStartingServers(page, only) {
  const waiting = page.locator(`${VIEW} .rendered-markdown`, { has: page.locator('a', { hasText: SKIP }) }).last();
  // The notice goes away by itself once the servers have started.
  if (!(await waiting.isVisible())) return;
  const starting = await waiting.locator('code').allInnerTexts();
  if (only && !starting.every((name) => only.includes(name))) return;
  await waiting
    .locator('a', { hasText: SKIP })
    .click({ timeout: 2_000 })
    .catch(() => {});
}

/**
 * Presses a button of the confirmation in the chat, if there is one: 'Allow' or 'Skip'. Waits until VS Code has
 * reacted, so that each confirmation is answered once. Returns the chat's text and the number of such buttons at that
 * time, or undefined.
 */
export async function answerConfirmation(page, label) {
  const found = await page.evaluateHandle(
    ([view, start]) => {
      const buttons = [...document.querySelectorAll(`${view} a.monaco-button`)].filter(
        (button) => button.checkVisibility() && button.innerText.trim().startsWith(start),
      );
      const asked = buttons.length > 0 ? document.querySelector(view).innerText : '';
      return { button: buttons.at(-1), open: buttons.length, asked };
    },
    [VIEW, label],
  );
  const button = (await found.getProperty('button')).asElement();
  if (!button) return undefined;
  const { open, asked } = await found.evaluate(({ open, asked }) => ({ open, asked }));
  await until(`VS Code to hear '${label}'`, async () => {
    if (!(await button.evaluate((element) => element.isConnected && element.checkVisibility()))) return true;
    // The button may go away by itself between the check and the click.
    await button.click({ timeout: PATIENCE_MS }).catch(() => {});
    return false;
  });
  return { open, asked };
}
