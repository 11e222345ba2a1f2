import { after, describe } from 'node:test';
import { faultyServer, writeServers } from '../harness/files.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { searchWords, writeWords } from './searchWords.mjs';
import { libraryServer, linkedResource, serverItems } from './serverItems.mjs';
import { inOrder, useVscode } from './vscode.mjs';

describe('over two small servers', () => {
  const workspace = temporaryFolder('servers');
  after(() => workspace.remove());
  const one = faultyServer('one', workspace.path);
  writeServers(workspace.path, { one, library: libraryServer(workspace.path) });
  writeWords(workspace.path);
  const scenario = inOrder(
    useVscode({
      workspace: workspace.path,
      standIn: 'with keys',
      settings: { 'toolsearch.scope': 'mcp', 'toolsearch.mode': 'on' },
    }),
  );

  linkedResource(scenario, 'VS Code', workspace.path);
  linkedResource(scenario, 'the extension', workspace.path);
  serverItems(scenario, workspace.path);
  searchWords(scenario);
});
