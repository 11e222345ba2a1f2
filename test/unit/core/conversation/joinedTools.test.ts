import { expect, it } from 'vitest';
import { joinedSince } from '../../../../src/core/conversation/joinedTools';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { makeTool } from '../turn/world';

const joined = [definitionOf(makeTool('late', 'whisper')).definition];
const base = (id: string) => ({ id, system: '', tools: [] });
const note = (rest: object) => ({ kind: 'user' as const, text: '', note: true as const, ...rest });

it('leaves out what joined or left after another beginning', () => {
  const transcript: Transcript = [
    { kind: 'user', text: 'hi' },
    note({ joined, base: 'a' }),
    note({ text: 'New tools.', left: ['x'], base: 'b' }),
  ];
  expect(joinedSince(base('a'), transcript)).toEqual([
    transcript[0],
    transcript[1],
    note({ text: 'New tools.', base: 'b' }),
  ]);
  expect(joinedSince(base('b'), transcript)).toEqual([transcript[0], transcript[2]]);
});
