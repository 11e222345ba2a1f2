import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { visibleText } from '../harness/text.mjs';
import { command, pick, reload, untilNotified } from '../harness/workbench.mjs';
import { answers, begin, CLAUDE } from './services.mjs';
import { useVscode } from './vscode.mjs';

const DIALOG = '.monaco-dialog-box';
const FIND = '@toolsearch /find das bitte zusammenzählen';

describe('search words of the user’s own model', () => {
  const workspace = temporaryFolder('search-words');
  after(() => workspace.remove());
  const marker = path.join(workspace.path, 'marker.txt');
  const server = (name, ...options) => ({
    command: process.execPath,
    args: [path.join(ROOT, 'test/fixtures/faultyServer.mjs'), name, workspace.path, ...options],
  });
  // The model stops in the middle of its first answer to the second request.
  const servers = { one: server('one'), other: server('other', '--words', marker) };
  writeFileSync(marker, ' [[fault:stall*1]]');
  mkdirSync(path.join(workspace.path, '.vscode'));
  writeFileSync(path.join(workspace.path, '.vscode/mcp.json'), JSON.stringify({ servers }));
  const scenario = useVscode({
    workspace: workspace.path,
    standIn: 'with keys',
    settings: {
      'toolsearch.mcp.host': 'extension',
      'chat.mcp.autostart': 'never',
      'toolsearch.searchWordsLanguages': ['de'],
    },
  });

  let all = 0;

  /** Chooses the model, answers the question, and returns the question's text. */
  async function write(page, button) {
    await command(page, 'Tool Search: Write Search Words');
    await pick(page, 'Claude Sonnet 4.5');
    const dialog = page.locator(DIALOG);
    await dialog.waitFor();
    const text = await visibleText(dialog);
    await dialog.locator('.monaco-button', { hasText: button }).first().click();
    await dialog.waitFor({ state: 'detached' });
    return text;
  }

  scenario('are written after a question; a cancel keeps the finished batches', async (session) => {
    const { page } = session;
    await ask(page, '@toolsearch one/add {"a": 2, "b": 40}');
    assert.doesNotMatch((await ask(page, FIND)).text, /one\/add/);
    const before = answers(session).length;
    const question = await write(page, 'Cancel');
    all = Number(/Write search words for (\d+) tools with/.exec(question)[1]);
    assert.match(question, /The model reads the definitions of these tools \(about [\d,]+ tokens, in \d requests\)/);
    assert.match(question, /Input: about \$0\.\d+ at list price/);
    assert.equal(answers(session).length, before);
    await write(page, 'Write Search Words');
    const progress = page.locator('.notification-toast', { hasText: 'Writing search words with' });
    await progress.filter({ hasText: `20/${all}` }).waitFor();
    await progress.hover();
    await progress.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await untilNotified(page, `20 of ${all} tools got search words`);
    assert.equal(answers(session).length, before + 2);
  });

  scenario('resume after a reload, for the estimated tokens', async (session) => {
    await reload(session);
    const { page } = session;
    assert.match((await ask(page, FIND)).text, /one\/add/);
    const before = answers(session).length;
    const question = await write(page, 'Write Search Words');
    assert.match(question, new RegExp(`Write search words for ${all - 20} tools with`));
    await untilNotified(page, /tools have search words now/);
    const written = answers(session).slice(before);
    assert.equal(written.length, Number(/in (\d+) requests/.exec(question)[1]));
    const read = written.reduce(
      (sum, { usage }) => sum + usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
      0,
    );
    const said = Number(/about ([\d,]+) tokens, in/.exec(question)[1].replace(',', ''));
    assert.ok(Math.abs(said - read) <= 0.1 * read, `${said} tokens were estimated, ${read} read`);
    await command(page, 'Tool Search: Write Search Words');
    await untilNotified(page, /All tools have search words/);
  });

  scenario('answer a German request in the chat over an English tool', async (session) => {
    // The service's own search doesn't know the words, and eager tools aren't searched.
    await begin(session, CLAUDE, { 'toolsearch.delivery': 'client', 'toolsearch.mode': 'on' });
    const { text } = await ask(session.page, '@toolsearch bitte zusammenzählen a=2 b=40');
    assert.match(text, /2 \+ 40 = 42/);
  });
});
