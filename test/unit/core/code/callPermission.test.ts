import { expect, it } from 'vitest';
import { permissionOf, providerPermission } from '../../../../src/core/code/callPermission';

const tool = { id: 'a/b' };

it.each([
  [{}, 'both', undefined],
  [{ 'x/*': 'direct' }, 'both', undefined],
  [{ 'a/*': 'both' }, 'both', 'both'],
  [{ 'a/*': 'direct', 'a/b': 'both' }, 'direct', undefined],
  [{ 'a/b': 'code', '*': 'direct' }, 'code', 'code'],
  [[{ 'a/b': 'both' }, { 'a/*': 'direct' }], 'direct', undefined],
  [[{ 'a/b': 'both' }, { 'a/*': 'code' }], 'code', 'code'],
  [[{ 'a/b': 'code' }, { 'a/*': 'both' }], 'code', 'code'],
  [[{}, { 'a/*': 'both' }], 'both', 'both'],
] as const)('%j gives a tool %s, and the provider’s code %s', (allowedCallers, caller, ofProvider) => {
  expect(permissionOf({ allowedCallers })(tool)).toBe(caller);
  expect(providerPermission({ allowedCallers })(tool)).toBe(ofProvider);
});
