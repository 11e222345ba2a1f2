import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { writeBelow } from '../harness/files.mjs';

const WORDS = { tools: { 'one/add': { de: ['zusammenzählen', 'Summe'] } } };

/** Writes a team's words for a tool of the server “one” into the workspace. */
export const writeWords = (workspace) => writeBelow(workspace, '.vscode/tool-words.json', JSON.stringify(WORDS));

/** Scenarios that share a VS Code with others. */
export const searchWords = (scenario) =>
  describe('search words of a team', () => {
    scenario('find an English tool by a German sentence', async (session) => {
      const { page } = session;
      await ask(page, '@toolsearch one/add {"a": 2, "b": 40}');
      assert.match((await ask(page, '@toolsearch /find das bitte zusammenzählen')).text, /one\/add/);
    });
  });
