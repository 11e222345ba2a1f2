import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRun } from '../../../../src/tools/mcp/result';

describe('toRun', () => {
  it('gives structured content as text, once', () => {
    const structuredContent = { a: [1] };
    expect(toRun({ content: [{ type: 'text', text: '{"a": [1]}' }], structuredContent }).parts).toEqual([
      { type: 'text', text: '{"a": [1]}' },
    ]);
    expect(toRun({ content: [{ type: 'text', text: 'one' }], structuredContent }).parts).toHaveLength(2);
    expect(toRun({ structuredContent })).toEqual({ outcome: 'ok', parts: [{ type: 'text', text: '{"a":[1]}' }] });
  });

  it('reads text in an embedded resource, whichever way it is packed', () => {
    const blob = Buffer.from('{"x":1}').toString('base64');
    expect(toRun({ content: [{ type: 'resource', resource: { mimeType: 'application/json', blob } }] }).parts).toEqual([
      { type: 'text', text: '{"x":1}' },
    ]);
  });

  it('tells a result that is none', () => {
    expect(toRun({ answer: 42 }).outcome).toBe('failed');
    expect(toRun({ content: 'text' }).outcome).toBe('failed');
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.jsonValue(), fc.record({ type: fc.constantFrom('text', 'image', 'resource', 'resource_link') }))),
        (content) => {
          expect(toRun({ content }).parts).toHaveLength(content.length);
        },
      ),
    );
  });
});
