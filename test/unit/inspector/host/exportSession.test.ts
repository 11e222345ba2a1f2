import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { exportAsking } from '../../../../src/inspector/host/exportSession';
import { bigSession } from '../../../data/bigSession';
import { viewInputs } from '../../../data/viewInputs';
import { Uri } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';

const deps = {
  version: '1.2.3',
  session: () => viewInputs(bigSession({ turns: 2, tools: 3 })),
  secrets: async () => new KnownSecrets(),
};

beforeEach(resetHost);
afterEach(() => vi.useRealTimers());

it.each([0, 23])('a session’s file has the day of the user’s time zone in its name, at %s:30', async (hour) => {
  vi.useFakeTimers({ now: new Date(2026, 0, 2, hour, 30), toFake: ['Date'] });
  host.folders = [{ name: 'a', uri: Uri.file('/a') as unknown as vscode.Uri, index: 0 }];
  const save = vi.spyOn(vscode.window, 'showSaveDialog');
  await exportAsking(deps);
  expect(save.mock.lastCall?.[0]?.defaultUri?.path).toBe('/a/tool-search-2026-01-02.json');
  save.mockRestore();
});
