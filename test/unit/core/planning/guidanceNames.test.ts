import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guidanceNames } from '../../../../src/core/planning/guidanceNames';
import { holds } from '../../property';
import { filler, makeTool } from '../turn/world';

const tools = fc.uniqueArray(
  fc.tuple(fc.constantFrom('a', 'b', 'the "c"\nserver', 'x'.repeat(60)), fc.string({ minLength: 1, maxLength: 70 })),
  { selector: (pair) => pair.join('/'), maxLength: 120 },
);

describe('names in sight', () => {
  it('are all there if they fit, by server', () => {
    expect(
      guidanceNames([makeTool('forge', 'get_issue'), makeTool('forge', 'list'), makeTool('web', 'fetch_webpage')], 600),
    ).toBe('\n- "forge": get_issue, list\n- "web": fetch_webpage');
  });

  it('are cut fairly: a large server leaves the small ones theirs', () => {
    const text = guidanceNames([...filler('huge', 900), ...filler('small', 3), ...filler('tiny', 1)], 100);
    expect(text).toMatch(/"huge": zz0, .* and \d+ more\n/);
    expect(text).toContain('"small": zz0, zz1, zz2\n');
    expect(text).toContain('"tiny": zz0');
  });

  it('stay within their tokens, and are data, whatever the names', () => {
    holds(
      fc.property(tools, fc.integer({ min: 50, max: 700 }), (pairs, max) => {
        const text = guidanceNames(
          pairs.map(([server, name]) => makeTool(server, name)),
          max,
        );
        expect(text.length).toBeLessThanOrEqual(max * 3);
        for (const line of text.split('\n').slice(1))
          expect(line).toMatch(/^- ".*": [A-Za-z0-9_.-]+(, [A-Za-z0-9_.-]+)*( and \d+ more)?$/);
      }),
    );
  });
});
