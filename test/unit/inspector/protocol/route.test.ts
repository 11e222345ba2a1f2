import { expect, it } from 'vitest';
import { readRoute } from '../../../../src/inspector/protocol/route';

it('a place of the inspector is read from a command’s arguments', () => {
  const playground = { section: 'playground', query: 'a fax' };
  expect(readRoute({ ...playground, more: 1 })).toEqual(playground);
  expect(readRoute({ section: 'tools', filter: 'is:eager' })).toEqual({ section: 'tools', filter: 'is:eager' });
  for (const bad of [
    undefined,
    null,
    'tools',
    [],
    { section: 'playground', query: 1 },
    { section: 'tools' },
    { section: 'turns', query: '' },
  ])
    expect(readRoute(bad)).toBeUndefined();
});
