import { beforeEach, expect, it } from 'vitest';
import { ApiKeys } from '../../../src/ui/keys/apiKeys';
import { manageKeys } from '../../../src/ui/keys/manageKeys';
import { host, resetHost } from '../shim/host';

beforeEach(() => resetHost());

const keysWith = (environment: { readonly [name: string]: string }) => new ApiKeys(host.secrets, environment);

it('a stored key is used before one of the environment', async () => {
  const keys = keysWith({ ANTHROPIC_API_KEY: ' env ' });
  expect(await keys.get('anthropic')).toEqual({ value: 'env', from: 'environment' });
  await keys.set('anthropic', 'stored');
  expect(await keys.get('anthropic')).toEqual({ value: 'stored', from: 'stored' });
  expect(await keys.all()).toEqual(['stored', 'env']);
  await keys.remove('anthropic');
  expect(await keys.get('openai')).toBeUndefined();
  expect(await keys.all()).toEqual(['env']);
});

it('a key is typed unseen, kept without blanks, tested and removed', async () => {
  const keys = keysWith({});
  const tested: string[] = [];
  const shown = new Set<string | undefined>();
  const choose = (label: RegExp) => {
    host.choose = (items) => {
      for (const { description } of items) shown.add(description);
      return items.find((item) => label.test(item.label)) ?? items[0];
    };
    return manageKeys(keys, async (_, key) => {
      tested.push(key);
      return { ok: false, message: 'Refused.' };
    });
  };
  host.type = ({ password, ignoreFocusOut, validateInput }) => {
    const said = ['two words', ' one '].map((typed) => validateInput?.(typed));
    expect([password, ignoreFocusOut, ...said]).toEqual([true, true, expect.stringContaining('one word'), undefined]);
    return ' typed ';
  };
  await choose(/^(Anthropic|Set Key)/);
  expect([await keys.get('anthropic'), tested]).toEqual([{ value: 'typed', from: 'stored' }, ['typed']]);
  expect(host.messages.join()).toContain('can’t be used: Refused.');
  await choose(/^(Anthropic|Remove Key)/);
  expect(await keys.all()).toEqual([]);
  expect([...shown]).toEqual(['no key', undefined, "a key is in VS Code's secret storage"]);
});
