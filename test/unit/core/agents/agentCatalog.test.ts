import { expect, it } from 'vitest';
import { agentCatalog } from '../../../../src/core/agents/agentCatalog';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { makeTool } from '../turn/world';

it('leaves out a changed, withheld tool, though an agent passes it', () => {
  const known = { ...createCatalog(1, [], []), withheld: new Map([['mcp_forge_merge', makeTool('forge', 'merge')]]) };
  const passed = ['mcp_forge_merge', 'read_file'].map((name) => ({ name, description: '', inputSchema: {} }));
  expect(agentCatalog(passed, known).tools.map(({ invokeName }) => invokeName)).toEqual(['read_file']);
});

it('has the words that an agent passes, unless other extensions changed them', () => {
  const [sum, pay] = [makeTool('math', 'sum', 'Adds.'), makeTool('bank', 'pay', 'Pays.')];
  const known = createCatalog(1, [sum, pay], []);
  const changed = { type: 'object', required: ['a'] };
  const offered = createCatalog(
    1,
    [
      { ...sum, inputSchema: changed },
      { ...pay, description: 'Pays slowly.' },
    ],
    [],
  );
  const passed = [sum, pay].map(({ invokeName }) => ({ name: invokeName, description: 'Its own.', inputSchema: {} }));
  const { byId } = agentCatalog(passed, known, offered);
  const words = [sum, pay].map(({ id }) => [byId.get(id)?.description, byId.get(id)?.inputSchema]);
  expect(words).toEqual([
    ['Its own.', changed],
    ['Pays slowly.', {}],
  ]);
});
