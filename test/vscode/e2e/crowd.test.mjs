import { describe } from 'node:test';
import { agents } from './agents.mjs';
import { anyModel } from './anyModel.mjs';
import { mcpEndpoint } from './mcpEndpoint.mjs';
import { uninstall } from './uninstall.mjs';
import { inOrder, useVscode } from './vscode.mjs';

describe('over servers with hundreds of tools', () => {
  const scenario = useVscode({ fixture: 'crowd', extensions: ['test/vscode/limited'], agentMode: true });

  anyModel(scenario);
  agents(scenario);
  mcpEndpoint(inOrder(scenario));
  uninstall(scenario);
});
