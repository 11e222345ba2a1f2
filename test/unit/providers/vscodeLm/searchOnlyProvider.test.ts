import { beforeEach, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import type { Settings } from '../../../../src/core/settings/settings';
import { offerSearchOnly } from '../../../../src/providers/vscodeLm/searchOnlyProvider';
import { EventEmitter } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';

beforeEach(resetHost);

it('“Search only” is offered always, never, or without other models', async () => {
  let wanted: Settings['searchOnlyModel'] = 'on';
  const changed = new EventEmitter<unknown>();
  const offer = offerSearchOnly(() => wanted, { onDidChange: changed.event as vscode.Event<unknown> });
  const provider = host.modelProviders.get('toolsearch');
  const token = {} as vscode.CancellationToken;
  const offered = () => provider?.provideLanguageModelChatInformation({ silent: true }, token);
  let told = 0;
  provider?.onDidChangeLanguageModelChatInformation?.(() => void told++);
  // It asks for the other models without waiting for them.
  await new Promise((resolve) => setImmediate(resolve));
  expect(offered()).toMatchObject([{ id: 'search-only', capabilities: { toolCalling: true, imageInput: false } }]);
  wanted = 'off';
  changed.fire(undefined);
  expect(offered()).toEqual([]);
  wanted = 'auto';
  changed.fire(undefined);
  expect([told, offered()]).toMatchObject([3, [{}]]);
  host.models = [{ vendor: 'ollama', id: 'qwen' } as vscode.LanguageModelChat];
  host.modelsChanged.fire();
  await expect.poll(offered).toEqual([]);
  expect(told).toBe(4);
  offer.dispose();
});
