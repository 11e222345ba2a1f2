import { expect, it } from 'vitest';
import type { ToolExample } from '../../../src/core/catalog/tool';
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings';
import type { ExampleRules } from '../../../src/core/settings/toolExamples';
import { CatalogStore } from '../../../src/tools/catalogStore';
import { readTools } from '../../../src/tools/toolList';

const inputSchema = {
  type: 'object',
  required: ['labels'],
  properties: {
    labels: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, color: { enum: ['red', 'blue'] } } },
    },
  },
};
const example = (label: object): ToolExample => ({ args: { labels: [label] } }) as ToolExample;
const GOOD = example({ name: 'bug', color: 'red' });

/** Publishes a tool with these examples by the user and by its server. */
async function publish(users: readonly ToolExample[], servers: readonly ToolExample[] = []) {
  const store = new CatalogStore();
  const seen: number[] = [];
  store.onDidChange(({ tools }) => seen.push(tools[0]?.examples?.length ?? 0));
  const rules: ExampleRules = { ...DEFAULT_SETTINGS.examples, tools: { 'github/label': users } };
  const listed = { name: 'mcp_github_label', tags: ['mcp'], fullReferenceName: 'github/label', description: '' };
  store.publish(readTools([{ ...listed, inputSchema, examples: servers }], []).tools, rules, []);
  await store.settled();
  const problems = store.diagnostics.map(({ source, message }) => `${source}: ${message}`);
  return { store, seen, problems, examples: store.current.tools[0]?.examples ?? [] };
}

it.each([
  ['a wrong type', example({ name: 5 }), 'labels.0.name: must be string. (given: 5)'],
  ['a value that the list lacks', example({ color: 'green' }), 'labels.0.color: must be one of "red", "blue".'],
  ['a missing argument', { args: {} }, 'labels: is required, but missing.'],
])('an example with %s is reported by its path', async (_, bad, error) => {
  const { problems, examples } = await publish([GOOD, bad]);
  expect(examples).toEqual([GOOD]);
  expect(problems).toEqual([
    expect.stringContaining(
      `toolsearch.examples: Example 2 of “github/label” in toolsearch.examples doesn’t fit the tool and isn’t used. ${error}`,
    ),
  ]);
});

it('a server’s own example is checked too, under its name', async () => {
  const { problems, examples } = await publish([], [example({ name: 5 }), GOOD]);
  expect(examples).toEqual([GOOD]);
  expect(problems).toEqual([
    'github: Example 1 that the server gives for “github/label” doesn’t fit the tool and isn’t used. labels.0.name: must be string. (given: 5)',
  ]);
});

it('examples are used once they are checked, and listeners hear of problems', async () => {
  expect((await publish([GOOD])).seen).toEqual([0, 1]);
  expect((await publish([example({ name: 5 })])).seen).toEqual([0, 0]);
  expect((await publish([])).seen).toEqual([0]);
});

it('new examples are checked again only if they or the schema changed', async () => {
  const { store, seen } = await publish([GOOD]);
  const rules = { ...DEFAULT_SETTINGS.examples, tools: { 'github/label': [GOOD, example({ name: 'b' })] } };
  store.publish(store.given, rules, []);
  expect(store.current.tools[0]?.examples).toEqual([GOOD]);
  await store.settled();
  expect(seen).toEqual([0, 1, 2]);
});
