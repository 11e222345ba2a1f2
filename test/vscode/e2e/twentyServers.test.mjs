import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { writeServers } from '../harness/files.mjs';
import { bundleHostSuite, HOST_SUITE_SERVERS, HOST_SUITE_SETTINGS } from '../harness/hostSuite.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { until } from '../harness/wait.mjs';
import { useVscode } from './vscode.mjs';

const CHATS = 10;
const NUMBERED = ['1', '2', '3', '4', '5'];

/**
 * Writes an `mcp.json` of twenty servers, and those of the host suite: three real ones, and one with sixty tools, each
 * under five names. The server with sixty tools answers no call before one of each chat has arrived.
 */
function writeTwentyServers(folder) {
  const together = ['--together', `${CHATS}`, '--book', path.join(folder, 'calls.txt')];
  const official = (name) => path.join(ROOT, `sample/node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  const run = (...args) => ({ command: process.execPath, args });
  const servers = Object.fromEntries(
    NUMBERED.flatMap((n) => [
      [`everything${n}`, run(official('everything'))],
      [`files${n}`, run(official('filesystem'), folder)],
      [`memory${n}`, { ...run(official('memory')), env: { MEMORY_FILE_PATH: path.join(folder, `memory${n}.jsonl`) } }],
      [`crowd${n}`, run(path.join(ROOT, 'test/vscode/fixtures/crowd/server.mjs'), `crowd${n}`, ...together)],
    ]),
  );
  writeServers(folder, { ...servers, ...HOST_SUITE_SERVERS });
}

/**
 * Starts the servers with a first question and then asks in ten chats at once, each for a call of its own. No call is
 * answered before all have arrived. Returns the reports and the call of each chat.
 */
async function askTenChats(session) {
  await ask(session.page, '@toolsearch /tools');
  const before = (await session.reports()).length;
  const calls = Array.from({ length: CHATS }, (_, chat) => ({
    tool: `crowd${NUMBERED[chat % NUMBERED.length]}/get_parcel`,
    number: `P-${chat}`,
  }));
  await session.askInEditors(calls.map(({ tool, number }) => `@toolsearch ${tool.replace('/', '_')} number=${number}`));
  const ended = async () => (await session.reports()).slice(before);
  const reports = await until('ten reports', async () => (await ended()).length === CHATS && ended());
  return { calls, reports };
}

// VS Code runs the servers. The unit tests of long sessions ask in two chats at once over those that the extension runs.
describe('over twenty servers', () => {
  const folder = temporaryFolder('twenty-servers');
  after(() => folder.remove());
  writeTwentyServers(folder.path);
  const scenario = useVscode({ workspace: folder.path, settings: HOST_SUITE_SETTINGS });

  // Comes first, since it expects that no turn has ended yet.
  scenario('the host suite passes inside the extension host', async (session) =>
    session.runSuite(await bundleHostSuite()),
  );

  scenario('ten chats at once all get their own answers', async (session) => {
    const { calls, reports } = await askTenChats(session);
    for (const { tool, number } of calls) {
      const own = reports.find(({ answer }) => answer.includes(`did get_parcel ${number}`));
      assert.ok(own, `no answer about ${number}`);
      assert.equal(own.status, 'answered');
      assert.deepEqual(
        own.calls.map((call) => [call.tool, call.ok]),
        [[tool, true]],
      );
      assert.ok(own.discovered.includes(tool));
    }
  });
});
