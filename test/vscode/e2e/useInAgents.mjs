import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { parse } from 'smol-toml';
import { ask } from '../harness/chat.mjs';
import { faultyServer, writeBelow, writeServers } from '../harness/files.mjs';
import { until } from '../harness/wait.mjs';
import { command, inspector, openInspector, pick, tab, untilInspectorShows } from '../harness/workbench.mjs';

/** The files of five agents, each with something that a careless edit would lose. */
export const FILES = {
  '.copilot/mcp-config.json': '{"mcpServers":{}}',
  '.claude.json': `${JSON.stringify({ numStartups: 3, mcpServers: {}, projects: { '/x': { history: ['ä'] } } })}\n`,
  '.codex/config.toml': `# Mine.\nmodel = "gpt-5"   # the best\n\n[mcp_servers.one]\ncommand = "${process.execPath}" # twice\nargs = ["other"]\n\n[profiles.work]\nmodel = "x"`,
  '.cursor/mcp.json':
    '{\r\n\t// Mine.\r\n\t"mcpServers": {\r\n\t\t"web": { "url": "https://example.com/mcp" }, // quick\r\n\t},\r\n}\r\n',
  '.codeium/windsurf/mcp_config.json': '\uFEFF{\n    "mcpServers": {\n    }\n}\n',
};
const AGENTS = [
  ['Copilot', '.copilot/mcp-config.json'],
  ['Claude Code', '.claude.json'],
  ['Codex', '.codex/config.toml'],
  ['Cursor', '.cursor/mcp.json'],
  ['Windsurf', '.codeium/windsurf/mcp_config.json'],
];

/** A scenario that shares a VS Code with others. */
export const useInAgents = (scenario, workspace, home) =>
  describe('Tool Search in the files of other agents', () => {
    const bytes = (file) => readFileSync(path.join(home, file));
    const read = (file) => bytes(file).toString();
    const original = (file) => Buffer.from(FILES[file]);
    /** Whether a file has all of its bytes from before, and others in one place among them. */
    const isOnlyLonger = (file) => {
      const [old, now] = [original(file), bytes(file)];
      const differs = old.findIndex((byte, at) => byte !== now[at]);
      const same = differs < 0 ? old.length : differs;
      return now.length > old.length && now.subarray(same + now.length - old.length).equals(old.subarray(same));
    };
    for (const [file, text] of Object.entries(FILES)) writeBelow(home, file, text);
    const choose = async (page, agent) => {
      await command(page, 'Tool Search: Use Tool Search in…');
      await pick(page, agent);
    };
    /** Confirms the change in the diff editor. */
    const confirm = async (page, file) => {
      await page.locator('.monaco-diff-editor').first().waitFor();
      await page
        .locator('.tab', { hasText: path.basename(file) })
        .first()
        .waitFor();
      await pick(page, 'Write the Change');
    };

    scenario('is added after a diff, and reached with the entry', async (session) => {
      const { page } = session;
      writeServers(workspace, { one: faultyServer('one', workspace) });
      await session.changeSettings({ 'toolsearch.mcp.endpoint': true });
      await ask(page, '@toolsearch one/add {"a": 2, "b": 40}');
      await choose(page, 'Cursor');
      await page.locator('.monaco-diff-editor').first().waitFor();
      await pick(page, 'Leave the File as It Is');
      await until('the diff to close', async () => (await page.locator('.monaco-diff-editor').count()) === 0);
      assert.deepEqual(bytes('.cursor/mcp.json'), original('.cursor/mcp.json'));
      for (const [agent, file] of AGENTS) {
        await choose(page, agent);
        await confirm(page, file);
        await until(`${agent}’s file to have the entry`, () => read(file).includes('tool-search'));
        assert.ok(isOnlyLonger(file), `other bytes of ${file} changed`);
        // The agent's server “one” is in mcp.json too.
        if (agent === 'Codex')
          await page.locator('.notification-toast', { hasText: 'switch them off there: one.' }).first().waitFor();
      }
      assert.ok(read('.codex/config.toml').startsWith('# Mine.\nmodel = "gpt-5"   # the best\n'));
      const { url, http_headers: headers } = parse(read('.codex/config.toml')).mcp_servers['tool-search'];
      const client = new Client({ name: 'codex-mcp-client', version: '0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      const { content } = await client.callTool({ name: 'search_tools', arguments: { queries: ['add numbers'] } });
      assert.match(content[0].text, /one_add/);
      await client.close();
      await openInspector(session);
      await tab(page, 'Turns').click();
      await inspector(page).locator('summary', { hasText: 'Reasons' }).click();
      await untilInspectorShows(page, /codex-mcp-client/);
      assert.ok(!existsSync(path.join(workspace, '.mcp.json')), 'a file of the workspace was written');
    });
  });
