import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { ask, isAnswered, newChat, submit } from '../harness/chat.mjs';
import { faultyServer, writeBelow } from '../harness/files.mjs';
import { faultyServers } from '../harness/processes.mjs';
import { until } from '../harness/wait.mjs';
import { inspector, inspectorText, openInspector, tab, untilInspectorShows } from '../harness/workbench.mjs';
import { press, question } from './signIn.mjs';
import { FILES } from './useInAgents.mjs';

/** Scenarios that share a VS Code with others, and come after `useInAgents`. */
export const otherFiles = (scenario, workspace, home) =>
  describe('servers in the files of other agents', () => {
    const server = (name) => faultyServer(name, workspace);
    const { command, args } = server('three');
    const codex = `model = "gpt-5" # mine\n\n[mcp_servers.three]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`;
    const write = () => {
      for (const file of Object.keys(FILES)) rmSync(path.join(home, file));
      const json = (servers) => JSON.stringify({ mcpServers: servers });
      writeBelow(workspace, '.mcp.json', json({ one: server('other'), two: server('two') }));
      writeBelow(home, '.codex/config.toml', codex);
      writeBelow(home, '.cursor/mcp.json', '{"mcpServers": {"four": {"command": "x"');
      symlinkSync('/dev/zero', path.join(home, '.copilot/mcp-config.json'));
      // A file that isn't turned on.
      writeBelow(home, '.codeium/windsurf/mcp_config.json', json({ five: server('five') }));
    };

    scenario('start once their command lines were shown', async (session) => {
      const { page } = session;
      write();
      await session.changeSettings({ 'toolsearch.mcp.endpoint': null, 'toolsearch.mcp.agents': ['codex'] });
      await newChat(page);
      const report = await session.reportOf(async () => {
        await submit(page, '@toolsearch three/add {"a": 2, "b": 40}');
        const shown = await question(page);
        assert.match(shown, /Start these 2 MCP servers\?/);
        assert.match(shown, /two \(\.mcp\.json\)/);
        assert.match(shown, /three \(~\/\.codex\/config\.toml\)/);
        assert.ok(shown.includes('faultyServer.mjs three'), shown);
        assert.ok(!shown.includes('faultyServer.mjs other') && !shown.includes('five'), shown);
        assert.ok(faultyServers(workspace).length <= 1, 'a server ran without consent');
        await press(page, 'Start');
        await until('the answer', () => isAnswered(page));
      });
      assert.match(report.answer, /three: 2 \+ 40 = 42/);
      assert.equal(readFileSync(path.join(home, '.codex/config.toml'), 'utf8'), codex);
    });

    scenario('are one server each, and the inspector names the file', async (session) => {
      await openInspector(session);
      await tab(session.page, 'Tools').click();
      const frame = inspector(session.page);
      await frame.getByRole('textbox', { name: 'Filter tools' }).fill('');
      await frame.locator('[title$="from .vscode/mcp.json, defined differently in .mcp.json"]').first().waitFor();
      await frame.locator('[title$="from ~/.codex/config.toml"]').first().waitFor();
      assert.doesNotMatch(await inspectorText(session.page), /five/);
      // A link to a device is reported, and not read.
      await untilInspectorShows(session.page, /mcp-config\.json.*isn’t a regular file/s);
      const report = await session.reportOf(() => ask(session.page, '@toolsearch one/add {"a": 1, "b": 1}'));
      assert.match(report.answer, /one: 1 \+ 1 = 2/);
      assert.ok(existsSync(path.join(workspace, '.mcp.json')));
    });

    scenario('are added by a setting; a broken file is one sentence', async (session) => {
      await session.changeSettings({ 'toolsearch.mcp.agents': ['codex', 'cursor', 'windsurf'] });
      await openInspector(session);
      await untilInspectorShows(session.page, /~\/\.cursor\/mcp\.json.*isn’t valid JSON/s);
      const report = await session.reportOf(async () => {
        await submit(session.page, '@toolsearch two/add {"a": 2, "b": 40}');
        assert.match(await question(session.page), /five/);
        await press(session.page, 'Cancel');
        await until('the answer', () => isAnswered(session.page));
      });
      assert.match(report.answer, /two: 2 \+ 40 = 42/);
    });
  });
