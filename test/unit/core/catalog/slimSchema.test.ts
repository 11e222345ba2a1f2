import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slimSchema } from '../../../../src/core/catalog/slimSchema';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { holds } from '../../property';
import { makeTool } from '../turn/world';

const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `argument_${index}`,
      { type: 'string', description: 'x'.repeat(500), properties: { deep: {} } },
    ]),
  );

describe('a schema of megabytes', () => {
  it('is cut to what fits, required arguments first, and says so', () => {
    const slim = slimSchema({ type: 'object', properties: many(5_000), required: ['argument_4999'] });
    expect(JSON.stringify(slim?.schema).length).toBeLessThan(101_000);
    expect(Object.keys(slim?.schema.properties as object)[0]).toBe('argument_4999');
    expect(slim?.schema).toMatchObject({ required: ['argument_4999'], additionalProperties: true });
    expect(slim?.note).toMatch(/too long to show: \d+ of 5000 arguments/);
  });

  it('reaches the model as a short definition with a note', () => {
    const { definition } = definitionOf(
      makeTool('a', 'b', 'Does b', { inputSchema: { type: 'object', properties: many(5_000) } }),
    );
    expect(definition.description).toMatch(/^Does b\nIts input schema/);
    expect(JSON.stringify(definition).length).toBeLessThan(102_000);
    expect(slimSchema({ type: 'object', properties: many(10) })).toBeUndefined();
  });

  it('fits whatever it was', () => {
    holds(
      fc.property(fc.object({ maxDepth: 4 }), fc.integer({ min: 200, max: 2_000 }), (schema, max) => {
        const slim = slimSchema(schema as { [key: string]: unknown }, max);
        if (slim) expect(JSON.stringify(slim.schema.properties).length).toBeLessThanOrEqual(max + 2);
      }),
    );
  });
});
