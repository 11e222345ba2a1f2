import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { createText } from '../../../../src/inspector/text/text';
import { toolDetail } from '../../../../src/inspector/view/toolDetail';

const text = createText(INSPECTOR_STRINGS, 'en');

const TOOL: Tool = {
  id: 'a/b',
  server: 'a',
  name: 'b',
  modelName: 'a_b',
  invokeName: 'a_b',
  description: '',
  inputSchema: {},
  origin: 'mcp',
};

function detailOf(change: Partial<Tool>, hinted = true) {
  const count = (chars: number) => ({ value: chars, certainty: 'estimated' as const });
  return toolDetail({ ...TOOL, ...change }, text, { tools: [], count, hinted });
}

describe('a tool’s details', () => {
  it('name each argument’s type and whether it is required', () => {
    const { args } = detailOf({
      inputSchema: {
        type: 'object',
        required: ['path'],
        properties: {
          path: { type: 'string', description: 'Where' },
          kinds: { type: 'array', items: { type: 'number' } },
          mode: { enum: ['r', 'w'] },
          either: { type: ['string', 'null'] },
        },
      },
    });
    expect(args).toEqual([
      { name: 'path', type: 'string', required: true, description: 'Where' },
      { name: 'kinds', type: 'number[]', required: false, description: '' },
      { name: 'mode', type: 'enum', required: false, description: '', values: ['r', 'w'] },
      { name: 'either', type: 'string | null', required: false, description: '' },
    ]);
  });

  it.each([
    {},
    { properties: [] },
    { properties: { x: null }, required: 'x' },
    { properties: { x: 'string' } },
    { properties: { x: { type: [{ toString: 1 }] } } },
  ])('bear a malformed schema: %j', (inputSchema) => expect(() => detailOf({ inputSchema })).not.toThrow());

  it('cut a schema of megabytes', () => {
    const description = 'x'.repeat(2_000_000);
    expect(detailOf({ inputSchema: { description } }).schema.length).toBeLessThanOrEqual(20_001);
  });

  it('put annotations and examples into words', () => {
    const detail = detailOf({
      annotations: { readOnlyHint: false, destructiveHint: true },
      examples: [{ args: { a: 2 }, description: 'Adds' }],
    });
    expect(detail.annotations).toEqual(['may write', 'may delete or overwrite']);
    expect(detail.examples).toEqual([{ args: '{"a":2}', description: 'Adds' }]);
    expect(detail.exampleTokens.value).toBe('\nExample (Adds): {"a":2}'.length);
  });

  it('say that VS Code passes no hints on', () => {
    expect(detailOf({}).annotations).toEqual([]);
    expect(detailOf({}, false).annotations).toEqual(['VS Code doesn’t pass its hints on']);
  });
});
