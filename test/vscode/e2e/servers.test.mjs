import { after, describe } from 'node:test';
import { faultyServer, writeServers } from '../harness/files.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { growing } from './growing.mjs';
import { searchWords, writeWords } from './searchWords.mjs';
import { libraryServer, linkedResource, serverItems } from './serverItems.mjs';
import { inOrder, useVscode } from './vscode.mjs';

describe('over a few small servers', () => {
  const workspace = temporaryFolder('servers');
  after(() => workspace.remove());
  const [one, two, three] = ['one', 'two', 'three'].map((name) => faultyServer(name, workspace.path));
  writeServers(workspace.path, { one, two, three, library: libraryServer(workspace.path) });
  writeWords(workspace.path);
  const scenario = inOrder(
    useVscode({
      workspace: workspace.path,
      standIn: 'with keys',
      settings: { 'chat.mcp.autostart': 'never', 'toolsearch.scope': 'mcp', 'toolsearch.mode': 'on' },
    }),
  );

  growing(scenario);
  linkedResource(scenario, 'VS Code', workspace.path);
  linkedResource(scenario, 'the extension', workspace.path);
  serverItems(scenario, workspace.path);
  searchWords(scenario);
});
