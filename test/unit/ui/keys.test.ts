import { beforeEach, expect, it } from 'vitest';
import { ApiKeys } from '../../../src/ui/keys/apiKeys';
import { host, resetHost } from '../shim/host';

beforeEach(() => resetHost());

it('a stored key is used before one of the environment', async () => {
  const keys = new ApiKeys(host.secrets, { ANTHROPIC_API_KEY: ' env ' });
  expect(await keys.get('anthropic')).toEqual({ value: 'env', from: 'environment' });
  await keys.set('anthropic', 'stored');
  expect(await keys.get('anthropic')).toEqual({ value: 'stored', from: 'stored' });
  expect(await keys.all()).toEqual(['stored', 'env']);
  await keys.remove('anthropic');
  expect(await keys.get('openai')).toBeUndefined();
  expect(await keys.all()).toEqual(['env']);
});
