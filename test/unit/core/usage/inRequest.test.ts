import { expect, it } from 'vitest';
import { toolsInRequest } from '../../../../src/core/usage/inRequest';

const COUNTS = { eager: 2, discovered: 15, deferred: 109 };

it.each(['server', 'client', 'local'])('counts found tools as in the request with %s', (delivery) => {
  expect(toolsInRequest(COUNTS, delivery)).toEqual({ inRequest: 17, byCallTool: 0, total: 126 });
});

it('counts no found tool as in the request with bridge', () => {
  expect(toolsInRequest(COUNTS, 'bridge')).toEqual({ inRequest: 2, byCallTool: 15, total: 126 });
});
