import { expect, it } from 'vitest';
import { readPlace } from '../../../../src/inspector/protocol/route';

it('a place of the inspector is read from what a command is given', () => {
  const playground = { section: 'playground', query: 'a fax' };
  expect(readPlace({ ...playground, more: 1 })).toEqual(playground);
  expect(readPlace({ section: 'tools', filter: 'is:eager' })).toEqual({ section: 'tools', filter: 'is:eager' });
  for (const bad of [
    undefined,
    null,
    'tools',
    [],
    { section: 'playground', query: 1 },
    { section: 'tools' },
    { section: 'turns', query: '' },
  ])
    expect(readPlace(bad)).toBeUndefined();
});
