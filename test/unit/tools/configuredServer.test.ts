import { expect, it } from 'vitest';
import { sharedNames } from '../../../src/tools/configuredServer';

it('finds names that servers of several folders share', () => {
  expect(
    sharedNames([
      { folder: 'a', servers: ['Git', 'files'] },
      { folder: 'b', servers: ['git', 'web'] },
      { folder: 'c', servers: [] },
    ]),
  ).toEqual([{ server: 'Git', folders: ['a', 'b'] }]);
});
