import assert from 'node:assert/strict';
import path from 'node:path';
import { describe } from 'node:test';
import { ask, newChat } from '../harness/chat.mjs';
import { writeBelow } from '../harness/files.mjs';
import { OWN_HOST } from './vscode.mjs';

const FILE = 'both.code-workspace';
const SETTINGS = { 'toolsearch.eagerTools': { one: ['add'] }, 'toolsearch.deferredTools': { four: ['echo'] } };

/** Writes a workspace of these folders, with settings for the servers “one” and “four”. Returns the path of its file. */
export function writeWorkspace(root, folders) {
  writeBelow(root, FILE, JSON.stringify({ folders: folders.map((name) => ({ path: name })), settings: SETTINGS }));
  return path.join(root, FILE);
}

/** Scenarios that share a VS Code with others. The servers “one” and “four” are those of two folders. */
export const twoFolders = (scenario) =>
  describe('a workspace of two folders', () => {
    scenario('has the servers of both, and the tools that its settings choose', async (session) => {
      await newChat(session.page);
      await session.changeSettings(OWN_HOST);
      await session.chooseModel('toolsearch/search-only');
      for (const [call, answer, discovered] of [
        ['one_add {"a": 2, "b": 40}', /2 \+ 40 = 42/, []],
        ['four_echo {"text": "hi"}', /four: hi/, ['four/echo']],
        ['four_add {"a": 2, "b": 5}', /2 \+ 5 = 7/, []],
      ]) {
        const report = await session.reportOf(() => ask(session.page, `@toolsearch ${call}`));
        assert.match(report.answer, answer);
        assert.deepEqual(report.discovered, discovered, call);
      }
    });
  });
