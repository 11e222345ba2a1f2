import { expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { createText } from '../../../../src/inspector/text/text';
import { toolDetail } from '../../../../src/inspector/view/toolDetail';

const text = createText(INSPECTOR_STRINGS, 'en');

const TOOL: Tool = {
  ...{ id: 'a/b', server: 'a', name: 'b', modelName: 'a_b', invokeName: 'a_b' },
  ...{ description: '', inputSchema: {}, origin: 'mcp' },
};

function detailOf(change: Partial<Tool>, hinted = true) {
  const count = (chars: number) => ({ value: chars, certainty: 'estimated' as const });
  return toolDetail({ ...TOOL, ...change }, text, { tools: [], count, hinted });
}

it('a tool’s details are as their file says', async () => {
  const properties = {
    path: { type: 'string', description: 'Where' },
    kinds: { type: 'array', items: { type: 'number' } },
    mode: { enum: ['r', 'w'] },
    either: { type: ['string', 'null'] },
    other: { $ref: '#/$defs/other' },
    free: {},
  };
  const details = [
    detailOf({ inputSchema: { type: 'object', required: ['path'], properties } }),
    detailOf({
      annotations: { readOnlyHint: false, destructiveHint: true },
      examples: [{ args: { a: 2 }, description: 'Adds' }],
    }),
    detailOf({}, false),
  ];
  await expect(`${JSON.stringify(details, undefined, 1)}\n`).toMatchFileSnapshot('toolDetail.txt');
});

it.each([
  {},
  { properties: [] },
  { properties: { x: null }, required: 'x' },
  { properties: { x: 'string' } },
  { properties: { x: { type: [{ toString: 1 }] } } },
])('details bear a malformed schema: %j', (inputSchema) => expect(() => detailOf({ inputSchema })).not.toThrow());

it('details cut a schema of megabytes', () => {
  const description = 'x'.repeat(2_000_000);
  expect(detailOf({ inputSchema: { description } }).schema.length).toBeLessThanOrEqual(20_001);
});
