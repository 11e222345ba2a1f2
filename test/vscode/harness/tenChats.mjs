import path from 'node:path';
import { ask } from './chat.mjs';
import { writeServers } from './files.mjs';
import { ROOT } from './paths.mjs';
import { until } from './wait.mjs';

const CHATS = 10;
const NUMBERED = ['1', '2', '3', '4', '5'];

/**
 * Writes an `mcp.json` of twenty servers: three real ones, and one with sixty tools, each under five names. The server
 * with sixty tools answers no call before one of each chat has arrived.
 */
export function writeTwentyServers(folder) {
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
  writeServers(folder, servers);
}

/** The settings with which VS Code or the extension runs these servers. */
export function settingsOfHost(host) {
  return {
    'toolsearch.mode': 'on',
    'toolsearch.mcp.host': host,
    ...(host === 'extension' ? { 'chat.mcp.autostart': 'never' } : {}),
  };
}

/**
 * Starts the servers with a first question and then asks in ten chats at once, each for a call of its own. No call is
 * answered before all have arrived. Returns the reports and the call of each chat.
 */
export async function askTenChats(session) {
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
