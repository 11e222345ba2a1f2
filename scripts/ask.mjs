// Asks one question in a VS Code without a window, for `npm start -- --ask`.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ask, failure, said } from '../test/vscode/harness/chat.mjs';
import { RESULTS } from '../test/vscode/harness/paths.mjs';
import { say, step, UserError } from '../test/vscode/harness/say.mjs';
import { startSession } from '../test/vscode/harness/session.mjs';
import { openInspector } from '../test/vscode/harness/workbench.mjs';
import { offeredModel } from './modelName.mjs';

const ANSWER_TIMEOUT_MS = 180_000;
const AT_ONCE = { timeout: 1_000 };
/** The result of `--json` if no model was asked. Its warnings are the notes that the chat shows with a `⚠`. */
const notAsked = (seen) => ({
  answer: '',
  warnings: seen.split('\n').flatMap((line) => (line.startsWith('⚠ ') ? [line.slice('⚠ '.length)] : [])),
  status: 'notAsked',
});

/** Asks `@toolsearch` in the chat view of a VS Code without a window, and prints the answer and the figures. */
export async function askHeadless({ vsix, workspace, settings, home, model: named, ask: prompt, ...options }) {
  const { json, screenshot } = options;
  const picture = path.resolve(screenshot ?? path.join(RESULTS, 'ask.png'));
  await mkdir(path.dirname(picture), { recursive: true });
  const session = await step('Starting VS Code', () =>
    startSession({ vsix, workspace, settings, home, browser: { width: 1600, height: 1000 } }),
  );
  try {
    const { models } = await step('Waiting for Tool Search', () => session.untilReady()).catch((error) => {
      throw error.expected
        ? error
        : new UserError(`No model can be asked: is ${named} the vendor/id of one? ${error.message}`);
    });
    const model = offeredModel(named, models);
    if (!model) throw new UserError(`There is no model ${named} here. VS Code offers: ${models.join(', ')}.`);
    if (model !== named) await session.chooseModel(model);
    let seen;
    const left = [];
    const report = await step(`Asking: ${prompt}`, () =>
      session
        .reportOf(async () => {
          const meanwhile = async () => left.push(...(await leaveQuestions(session.page)));
          await ask(session.page, `@toolsearch ${prompt}`, { timeoutMs: ANSWER_TIMEOUT_MS, meanwhile }).catch(
            (error) => {
              throw new UserError(error.message);
            },
          );
          seen = await said(session.page);
        })
        .catch((error) => {
          if (seen === undefined) throw error;
          return notAsked(seen);
        }),
    );
    report.warnings = [...report.warnings, ...new Set(left)];
    for (const warning of new Set(left)) say(`  ${warning}`);
    const failed = await failure(session.page);
    await openInspector(session);
    await session.page.screenshot({ path: picture });
    const isAnswered = report.status === 'answered' && report.answer.trim() !== '' && !failed;
    if (isAnswered) print(report, picture);
    if (json) process.stdout.write(`${JSON.stringify({ ...report, said: seen, screenshot: picture })}\n`);
    if (report.model && report.model !== model)
      throw new UserError(`The chat used the model ${report.model}, not ${model}.`);
    if (!isAnswered) throw new UserError(`@toolsearch didn't answer. The chat shows:\n${seen}`);
  } catch (error) {
    await session.page.screenshot({ path: picture }).then(
      () => say(`  screenshot: ${picture}`),
      () => {},
    );
    throw error;
  } finally {
    await session.close();
  }
}

/**
 * Closes the boxes in which a server, or VS Code for a server, asks the user something, since no user is there to
 * answer.
 */
async function leaveQuestions(page) {
  const box = page.locator('.quick-input-widget:visible');
  if ((await box.count()) === 0) return [];
  const input = box.locator('input').first();
  // The box may close by itself meanwhile.
  const asked = await Promise.all([box.innerText(AT_ONCE), input.getAttribute('placeholder', AT_ONCE)]).catch(
    () => undefined,
  );
  await input.press('Escape', AT_ONCE).catch(() => {});
  if (!asked) return [];
  const words = asked.join(' ').replace(/\s+/g, ' ').trim();
  return [`Nobody can answer with --ask, so this was left: “${words}”`];
}

function print(report, picture) {
  const tokens = (value) => `${report.measured ? '' : '≈ '}${Math.round(value).toLocaleString('en')} tokens`;
  const percent =
    report.baselineTokens > 0 ? ` (${Math.round((100 * report.netSavedTokens) / report.baselineTokens)} %)` : '';
  const lines = [
    ['model', report.model],
    ['strategy', report.strategy],
    ['delivery', report.delivery],
    ['tools', `${report.eager} eager, ${report.deferred} deferred, ${report.discovered.length} discovered`],
    ['discovered', report.discovered.join(', ') || 'none'],
    ['searched', report.queries.map(({ query, hits }) => `“${query}” (${hits} found)`).join(', ') || 'nothing'],
    [
      'called',
      report.calls.map(({ tool, ok, ms }) => `${tool} (${ok ? 'ok' : 'failed'}, ${ms} ms)`).join(', ') || 'nothing',
    ],
    ...report.scripts.map((script) => [
      'script',
      `${script.title} (${script.outcome}, ${script.calls} calls, ${script.ms} ms)`,
    ]),
    ['rounds', report.rounds],
    ['all eager', tokens(report.baselineTokens)],
    ['sent', tokens(report.sentTokens)],
    ['saved', `${tokens(report.netSavedTokens)}${percent}`],
    ['screenshot', picture],
  ];
  process.stdout.write(
    `\n${report.answer.trim()}\n\n${lines.map(([name, value]) => `${name.padEnd(12)}${value}`).join('\n')}\n`,
  );
}
