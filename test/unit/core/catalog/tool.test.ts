import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainId, splitId, toolId } from '../../../../src/core/catalog/tool';
import { permissionOf } from '../../../../src/core/code/callPermission';
import { DEFAULT_SETTINGS } from '../../../../src/core/settings/settings';
import { holds } from '../../property';

const anyName = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom('/', '%', '25', '2F', 'a')).map((parts) => parts.join('')),
);

it('an id belongs to one server and one name', () => {
  holds(
    fc.property(anyName, anyName, (server, name) => {
      expect(splitId(toolId(server, name))).toEqual({ server, name });
      expect(plainId(toolId(server, name))).toBe(`${server}/${name}`);
    }),
  );
});

it('a name without a slash has the id that it always had', () => {
  expect(toolId('io.github.acme/pay', 'charge')).toBe('io.github.acme/pay/charge');
  expect(toolId('acme', '100%_sure')).toBe('acme/100%_sure');
});

it('a pattern may write a name’s slash as the server does', () => {
  const allowed = permissionOf({ ...DEFAULT_SETTINGS, allowedCallers: { 'acme/pay/*': 'direct' } });
  expect(allowed({ id: toolId('acme', 'pay/charge') })).toBe('direct');
  expect(allowed({ id: toolId('acme', 'refund') })).toBe('both');
});
