import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENT_PREFIX } from '../../../../src/core/agents/agentTools';
import { ownDefinitions } from '../../../../src/core/planning/ownTools';

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
