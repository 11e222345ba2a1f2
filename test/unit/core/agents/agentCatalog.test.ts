import { expect, it } from 'vitest';
import { agentCatalog } from '../../../../src/core/agents/agentCatalog';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { makeTool } from '../turn/world';

it('leaves out a changed, withheld tool, though an agent passes it', () => {
  const known = { ...createCatalog(1, [], []), withheld: new Map([['mcp_forge_merge', makeTool('forge', 'merge')]]) };
  const passed = ['mcp_forge_merge', 'read_file'].map((name) => ({ name, description: '', inputSchema: {} }));
  expect(agentCatalog(passed, known).tools.map(({ invokeName }) => invokeName)).toEqual(['read_file']);
});
