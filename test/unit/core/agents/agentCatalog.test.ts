import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentCatalog } from '../../../../src/core/agents/agentCatalog';
import { AGENT_PREFIX } from '../../../../src/core/agents/agentTools';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { ownDefinitions } from '../../../../src/core/planning/ownTools';
import { makeTool } from '../turn/world';

it('leaves out a changed, withheld tool, though an agent passes it', () => {
  const known = { ...createCatalog(1, [], []), withheld: new Map([['mcp_forge_merge', makeTool('forge', 'merge')]]) };
  const passed = ['mcp_forge_merge', 'read_file'].map((name) => ({ name, description: '', inputSchema: {} }));
  expect(agentCatalog(passed, known).tools.map(({ invokeName }) => invokeName)).toEqual(['read_file']);
});

it('has the words that an agent passes, under our id', () => {
  const sum = makeTool('math', 'sum', 'Adds.', { inputSchema: { type: 'object', required: ['a'] } });
  const passed = { name: sum.invokeName, description: 'Its own.', inputSchema: {} };
  const { byId } = agentCatalog([passed], createCatalog(1, [sum], []));
  expect(byId.get(sum.id)).toMatchObject({ description: 'Its own.', inputSchema: {} });
});

interface ManifestTool {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: unknown;
  readonly when?: string;
}

const MANIFEST: { contributes: { languageModelTools: readonly ManifestTool[] } } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

describe('the tools that VS Code reads from package.json', () => {
  it('have the same words as everywhere else', () => {
    const all = [true, false].flatMap((code) => ownDefinitions('bridge', { code, prefix: AGENT_PREFIX }));
    for (const { name, description, inputSchema } of all) {
      const tool = MANIFEST.contributes.languageModelTools.find((other) => other.name === name);
      expect(tool).toMatchObject({ name, modelDescription: description });
      expect(tool?.inputSchema).toEqual(inputSchema);
    }
  });

  it('have a description tool only if scripts are off', () => {
    const when = new Map(MANIFEST.contributes.languageModelTools.map((tool) => [tool.name, tool.when]));
    expect(when.get('toolsearch_describe_tool')).toBe("config.toolsearch.codeMode == 'off'");
    expect(when.get('toolsearch_run_code')).toBe("config.toolsearch.codeMode != 'off'");
  });
});
