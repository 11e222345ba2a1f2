import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DEFAULT_SETTINGS } from '../../../src/core/settings';
import type { Tool } from '../../../src/core/tool';
import { CatalogSource } from '../../../src/tools/catalogSource';
import { createVscodeRunner } from '../../../src/tools/vscodeInvoke';
import { VscodeMcpConfig } from '../../../src/tools/vscodeMcpConfig';
import { createStorageFile, createVscodeToolHost } from '../../../src/tools/vscodeTools';
import { configureServers, mcpJson, until, write } from './mcpServer';

const storage = vscode.Uri.joinPath(mcpJson(), '..', 'suite-profile', 'globalStorage', 'suite');

suite('Tools of VS Code', () => {
  let config: VscodeMcpConfig;
  let source: CatalogSource;
  const signal = new AbortController().signal;
  const idsOf = (server: string) => source.catalog.tools.filter((tool) => tool.server === server).map((tool) => tool.id);

  suiteSetup(async function () {
    this.timeout(60_000);
    await configureServers('Suite Server', 'other');
    config = new VscodeMcpConfig(storage);
    source = new CatalogSource(
      createVscodeToolHost(config, () => DEFAULT_SETTINGS),
      () => {},
    );
    await config.load();
    source.follow();
    // VS Code reads a new mcp.json a moment later.
    await new Promise((resolve) => setTimeout(resolve, 1500));
  });
  suiteTeardown(async () => {
    source.dispose();
    config.dispose();
    await vscode.workspace.fs.delete(mcpJson());
  });

  test('come from servers that are started and waited for, under their names in mcp.json', async function () {
    this.timeout(60_000);
    const waits: string[] = [];
    await source.whenReady({ timeoutMs: 30_000, signal, onWait: (names) => waits.push(names.join()) });
    assert.equal(waits[0], 'Suite Server,other');
    assert.deepEqual(
      idsOf('Suite Server'),
      ['crash', 'echo', 'fail', 'get_dotted', 'hang', 'picture'].map((name) => `Suite Server/${name}`),
    );
    assert.equal(idsOf('other').length, 6);
    assert.equal(new Set(source.catalog.tools.map((tool) => tool.modelName)).size, source.catalog.tools.length);
    assert.ok(source.catalog.byModelName.has('Suite_Server_echo'));
    assert.deepEqual(
      source.catalog.servers.filter((server) => server.name !== 'vscode').map((server) => [server.name, server.state]),
      [
        ['Suite Server', 'running'],
        ['other', 'running'],
      ],
    );
  });

  test('run through VS Code, and results are told apart', async function () {
    this.timeout(20_000);
    const runner = createVscodeRunner(undefined);
    const tool = (name: string): Tool => {
      const found = source.catalog.byId.get(`other/${name}`);
      assert.ok(found, name);
      return found;
    };
    assert.deepEqual(await runner.run(tool('echo'), { text: 'hi' }, signal), {
      outcome: 'ok',
      parts: [{ type: 'text', text: 'other:hi' }],
    });
    assert.deepEqual((await runner.run(tool('get_dotted'), {}, signal)).parts, [{ type: 'text', text: 'dotted' }]);
    const [picture] = (await runner.run(tool('picture'), {}, signal)).parts;
    assert.equal(picture?.type === 'omitted' && picture.mimeType, 'image/png');

    const abort = new AbortController();
    const hanging = runner.run(tool('hang'), {}, abort.signal);
    setTimeout(() => abort.abort(), 500);
    assert.equal((await hanging).outcome, 'cancelled');
    assert.equal((await runner.run({ ...tool('echo'), invokeName: 'mcp_no_such_tool' }, {}, signal)).outcome, 'failed');
  });

  test('that die in mid-call end the call, and not the turn', async function () {
    this.timeout(20_000);
    const crash = source.catalog.byId.get('other/crash');
    assert.ok(crash);
    const run = await createVscodeRunner(undefined).run(crash, {}, signal);
    assert.equal(run.outcome, 'refused');
    assert.match(JSON.stringify(run.parts), /its server stopped/);
  });

  test('whose mcp.json is broken: the rest is used, the mistake stands in Problems', async () => {
    await write(mcpJson(), '{\n  "servers": {\n    "kept": {"command": "x"}\n    "other": {"command": "y"}\n  }\n}');
    await until('the file is read', () => config.servers.some((server) => server.name === 'kept'));
    const [problem] = vscode.languages.getDiagnostics(mcpJson()).filter((each) => each.source === 'Tool Search');
    assert.equal(problem?.range.start.line, 3);
    assert.match(config.diagnostics[0]?.message ?? '', /^Line 4: /);
  });
});

suite('A file of the storage', () => {
  test('is made when it is first written', async () => {
    const file = createStorageFile(storage, `cache-${Date.now()}.json`);
    assert.equal(await file.read(), undefined);
    await file.write('text');
    assert.equal(await file.read(), 'text');
  });
});
