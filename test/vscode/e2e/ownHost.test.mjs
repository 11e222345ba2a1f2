import { after, describe } from 'node:test';
import { temporaryFolder } from '../harness/temporary.mjs';
import { otherFiles } from './otherFiles.mjs';
import { signIn } from './signIn.mjs';
import { useInAgents } from './useInAgents.mjs';
import { inOrder, OWN_HOST, useVscode } from './vscode.mjs';

describe('where the extension runs the servers', () => {
  const workspace = temporaryFolder('own-host');
  const home = temporaryFolder('own-home');
  after(() => Promise.all([workspace.remove(), home.remove()]));
  const settings = { ...OWN_HOST, 'toolsearch.mode': 'on', 'toolsearch.mcp.endpoint': true };
  const scenario = inOrder(useVscode({ workspace: workspace.path, home: home.path, settings }));

  signIn(scenario, workspace.path);
  useInAgents(scenario, workspace.path, home.path);
  otherFiles(scenario, workspace.path, home.path);
});
