import path from 'node:path';
import { after, describe } from 'node:test';
import { faultyServer, writeServers } from '../harness/files.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { growing } from './growing.mjs';
import { searchWords, writeWords } from './searchWords.mjs';
import { libraryServer, linkedResource, serverItems } from './serverItems.mjs';
import { twoFolders, writeWorkspace } from './twoFolders.mjs';
import { inOrder, useVscode } from './vscode.mjs';

describe('over a few small servers', () => {
  const root = temporaryFolder('servers');
  after(() => root.remove());
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => faultyServer(name, root.path));
  const [api, web] = ['api', 'web'].map((name) => path.join(root.path, name));
  writeServers(api, { one, two, three, library: libraryServer(api) });
  writeServers(web, { four });
  writeWords(api);
  const scenario = inOrder(
    useVscode({
      workspace: writeWorkspace(root.path, ['api', 'web']),
      standIn: 'with keys',
      settings: { 'chat.mcp.autostart': 'never', 'toolsearch.scope': 'mcp', 'toolsearch.mode': 'on' },
    }),
  );

  growing(scenario, root.path);
  linkedResource(scenario, api);
  serverItems(scenario, api);
  searchWords(scenario);
  twoFolders(scenario);
});
