import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { openInspector } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

const FAULTY = path.join(ROOT, 'test/fixtures/faultyServer.mjs');

describe('one of several servers', () => {
  const folder = temporaryFolder('one-server');
  after(() => folder.remove());
  const server = (name) => ({ command: process.execPath, args: [FAULTY, name, folder.path] });
  mkdirSync(path.join(folder.path, '.vscode'));
  writeFileSync(
    path.join(folder.path, '.vscode/mcp.json'),
    JSON.stringify({ servers: { one: server('one'), two: server('two'), three: server('three') } }),
  );
  const running = () =>
    execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(folder.path))
      .flatMap((line) => /faultyServer\.mjs (\w+)/.exec(line)?.[1] ?? []);
  const scenario = useVscode({
    workspace: folder.path,
    settings: { 'chat.mcp.autostart': 'never' },
  });

  scenario('is started alone from its row in the inspector', async (session) => {
    const frame = await openInspector(session);
    await frame.getByRole('tab', { name: /Tools/ }).click();
    assert.deepEqual(running(), []);
    const row = (name) => frame.locator('.tr.s', { hasText: name });
    await row('two').getByRole('button', { name: 'Start' }).click();
    await row('two').getByRole('img', { name: 'running' }).waitFor();
    assert.deepEqual(running(), ['two']);
    assert.ok(await row('one').getByRole('button', { name: 'Start' }).isVisible());
  });
});
