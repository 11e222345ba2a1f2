import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { newChat } from '../harness/chat.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { askTenChats, settingsOfHost, writeTwentyServers } from '../harness/tenChats.mjs';
import { closeEditors } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

describe('ten chats at once over twenty servers', () => {
  const folder = temporaryFolder('ten-chats');
  after(() => folder.remove());
  writeTwentyServers(folder.path);
  const scenario = useVscode({ workspace: folder.path, settings: settingsOfHost('extension') });

  for (const host of ['extension', 'vscode']) {
    scenario(`all get their own answers (${host})`, async (session) => {
      await closeEditors(session);
      await newChat(session.page);
      await session.changeSettings({ 'chat.mcp.autostart': null, ...settingsOfHost(host) });
      const { calls, reports } = await askTenChats(session);
      for (const { tool, number } of calls) {
        const own = reports.find(({ answer }) => answer.includes(`did get_parcel ${number}`));
        assert.ok(own, `no answer about ${number}`);
        assert.equal(own.status, 'answered');
        assert.deepEqual(
          own.calls.map((call) => [call.tool, call.ok]),
          [[tool, true]],
        );
        assert.deepEqual(own.discovered.includes(tool), true);
      }
    });
  }
});
