import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, said } from '../harness/chat.mjs';
import { openInspector, untilInspectorShows } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

describe('a workspace that is not trusted', () => {
  const scenario = useVscode({ trust: true });

  scenario('says in the inspector that its servers do not run', async (session) => {
    await openInspector(session.page);
    await untilInspectorShows(session.page, /trust/i);
  });

  scenario('says so in the chat, and runs nothing', async (session) => {
    await ask(session.page, '@toolsearch get-sum a=2 b=40');
    const text = await said(session.page);
    // Not the bare number: the chat shows the time of day too.
    assert.doesNotMatch(text, /sum of 2 and 40/);
    assert.match(text, /This workspace isn’t trusted/);
    assert.match(text, /Manage Trust/);
    assert.deepEqual(await session.reports(), []);
  });
});
