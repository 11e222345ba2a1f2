import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { begin, CLAUDE } from './services.mjs';
import { useVscode } from './vscode.mjs';

describe('search words of a team', () => {
  const workspace = temporaryFolder('search-words');
  after(() => workspace.remove());
  const servers = {
    one: {
      command: process.execPath,
      args: [path.join(ROOT, 'test/fixtures/faultyServer.mjs'), 'one', workspace.path],
    },
  };
  const words = { tools: { 'one/add': { de: ['zusammenzählen', 'Summe'] } } };
  mkdirSync(path.join(workspace.path, '.vscode'));
  writeFileSync(path.join(workspace.path, '.vscode/mcp.json'), JSON.stringify({ servers }));
  writeFileSync(path.join(workspace.path, '.vscode/tool-words.json'), JSON.stringify(words));
  const scenario = useVscode({
    workspace: workspace.path,
    standIn: 'with keys',
    settings: { 'toolsearch.mcp.host': 'extension', 'chat.mcp.autostart': 'never' },
  });

  scenario('find an English tool by a German sentence', async (session) => {
    const { page } = session;
    await ask(page, '@toolsearch one/add {"a": 2, "b": 40}');
    assert.match((await ask(page, '@toolsearch /find das bitte zusammenzählen')).text, /one\/add/);
  });

  scenario('answer a German request in the chat', async (session) => {
    // The service's own search doesn't know the words, and eager tools aren't searched.
    await begin(session, CLAUDE, { 'toolsearch.delivery': 'client', 'toolsearch.mode': 'on' });
    const { text } = await ask(session.page, '@toolsearch bitte zusammenzählen a=2 b=40');
    assert.match(text, /2 \+ 40 = 42/);
  });
});
