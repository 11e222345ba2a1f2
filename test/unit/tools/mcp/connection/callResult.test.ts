import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { textsForUser, toRun } from '../../../../../src/tools/mcp/connection/callResult';
import { holds } from '../../../property';

it('reads text in an embedded resource, whichever way it is packed', () => {
  const blob = Buffer.from('{"x":1}').toString('base64');
  expect(toRun({ content: [{ type: 'resource', resource: { mimeType: 'application/json', blob } }] }).parts).toEqual([
    { type: 'text', text: '{"x":1}' },
  ]);
});

it('tells the size of a linked resource, unless it is none', () => {
  const content = [31, -1, '31'].map((size) => ({ type: 'resource_link', uri: 'a:b', size }));
  const texts = ['[Resource: a:b, 31 bytes]', '[Resource: a:b]', '[Resource: a:b]'];
  expect(toRun({ content }).parts).toEqual(texts.map((text) => ({ type: 'text', text })));
  expect(toRun({ content: [{ ...content[0], uri: '' }] }).links).toBeUndefined();
});

it('tells a result that is none', () => {
  expect(toRun({ answer: 42 }).outcome).toBe('failed');
  expect(toRun({ content: 'text' }).outcome).toBe('failed');
});

it('leaves out what is for the user alone, who gets it', () => {
  const content = [
    { type: 'text', text: 'mine', annotations: { audience: ['user'] } },
    { type: 'text', text: 'ours', annotations: { audience: ['user', 'assistant'] } },
    { type: 'text', text: 'theirs', annotations: { audience: ['assistant'] } },
  ];
  expect(toRun({ content }).parts.map((part) => part.type === 'text' && part.text)).toEqual(['ours', 'theirs']);
  expect(textsForUser({ content })).toEqual(['mine', 'ours']);
});

it('never throws', () => {
  holds(
    [
      fc.array(
        fc.oneof(fc.jsonValue(), fc.record({ type: fc.constantFrom('text', 'image', 'resource', 'resource_link') })),
      ),
    ],
    (content) => {
      expect(toRun({ content }).parts).toHaveLength(content.length);
      expect(textsForUser({ content })).toEqual([]);
    },
  );
});

it('reads a text that is none', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const content = [deep, { toString: 1 }, 5, undefined].map((text) => ({ type: 'text', text }));
  const texts = [expect.stringContaining('nests too deeply'), '{"toString":1}', '5', ''];
  expect(toRun({ content }).parts.map((part) => part.type === 'text' && part.text)).toEqual(texts);
  const audience = { annotations: { audience: ['user'] } };
  expect(textsForUser({ content: content.map((part) => ({ ...part, ...audience })) })).toEqual(texts);
});
