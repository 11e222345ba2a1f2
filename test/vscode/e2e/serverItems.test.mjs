import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { useVscode } from './vscode.mjs';

const LIBRARY = path.join(ROOT, 'test/fixtures/libraryServer.mjs');

const SETTINGS = { 'toolsearch.scope': 'mcp', 'toolsearch.mode': 'on' };

/** A workspace whose one server has resources and prompts. */
function libraryFolder(name) {
  const folder = temporaryFolder(name);
  after(() => folder.remove());
  const reads = path.join(folder.path, 'reads.txt');
  const library = { command: process.execPath, args: [LIBRARY, '--reads', reads] };
  mkdirSync(path.join(folder.path, '.vscode'), { recursive: true });
  writeFileSync(path.join(folder.path, '.vscode/mcp.json'), JSON.stringify({ servers: { library } }));
  const readsOf = () => (existsSync(reads) ? readFileSync(reads, 'utf8').split('\n').slice(0, -1) : []);
  return { workspace: folder.path, readsOf };
}

const HOSTS = {
  'the extension': { 'toolsearch.mcp.host': 'extension', 'chat.mcp.autostart': 'never' },
  'VS Code': {},
};

for (const [host, settings] of Object.entries(HOSTS)) {
  describe(`a server that ${host} runs`, () => {
    const { workspace, readsOf } = libraryFolder('library');
    const scenario = useVscode({ workspace, settings: { ...SETTINGS, ...settings } });

    scenario('links to a resource, which the model reads through it', async (session) => {
      const linking = await session.reportOf(() => ask(session.page, '@toolsearch library/report {}'));
      assert.match(linking.answer, /\[Resource: docs:\/\/report\/2026, text\/markdown/);
      assert.match(linking.answer, /To read a linked resource: library_read_linked_resource/);
      const other = await session.reportOf(() =>
        ask(session.page, '@toolsearch library/read_linked_resource {"uri": "docs://readme"}'),
      );
      assert.match(other.answer, /reads only what a result of “library” linked to/);
      assert.deepEqual(readsOf(), []);
      const read = await session.reportOf(() =>
        ask(session.page, '@toolsearch library/read_linked_resource {"uri": "docs://report/2026"}'),
      );
      assert.match(read.answer, /We sold 4,711 chairs/);
      assert.deepEqual(readsOf(), ['docs://report/2026']);
    });
  });
}
