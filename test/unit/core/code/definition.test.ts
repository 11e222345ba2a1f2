import { expect, it } from 'vitest';
import { wholeDefinition } from '../../../../src/core/code/runScript';
import { stringLiteral } from '../../../../src/core/code/signature';
import { makeTool } from '../turn/world';

it('a tool without a description is its signature alone', () => {
  expect(wholeDefinition(makeTool('a', 'b'))).not.toContain('\n');
  expect(wholeDefinition(makeTool('a', 'b', 'Does b.'))).toMatch(/^Does b\.\n/);
});

it('a literal shows visible letters as they are, and escapes all others', () => {
  expect(stringLiteral('Zürich')).toBe('"Zürich"');
  expect(stringLiteral('a\u200bb')).toBe('"a\\u{200b}b"');
});
