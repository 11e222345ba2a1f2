import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { readWhatIf } from '../harness/whatIf.mjs';
import { inspector, openInspector, untilInspectorShows } from '../harness/workbench.mjs';
import { answers, begin, CLAUDE } from './services.mjs';
import { useVscode } from './vscode.mjs';

describe('what if', () => {
  const scenario = useVscode({ standIn: 'with keys' });
  const button = (page, name) => inspector(page).getByRole('button', { name });

  scenario('replays the turns, and its best setting is applied and undone', async (session) => {
    const { page } = session;
    // Each chat searches again.
    for (const b of [1, 2, 3]) {
      await begin(session, CLAUDE, { 'toolsearch.delivery': 'local' });
      await ask(page, `@toolsearch get-sum a=2 b=${b}`);
    }
    const sent = answers(session).length;
    await openInspector(session);
    const rows = await readWhatIf(page);
    assert.deepEqual(rows[0], ['Setting', 'Requests', 'Input tokens', 'Cost', 'Saved']);
    assert.match(rows[1].join(' '), /^As it was \d+ [\d,]+ ≈/);
    assert.ok(
      rows.some(([setting]) => setting === 'Delivery bridge'),
      `${rows.join('\n')}`,
    );
    assert.equal(answers(session).length, sent);

    await button(page, /^Apply: Eager: everything\/get-sum/).click();
    const undo = button(page, /^Undo: Applied: Eager: everything\/get-sum/);
    await undo.waitFor();
    await untilInspectorShows(page, /\b1 eager/);
    await undo.click();
    await undo.waitFor({ state: 'detached' });
    await button(page, /^Apply: Eager: everything\/get-sum/).waitFor();
  });
});
