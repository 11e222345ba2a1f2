import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
const exported = (path: string) => JSON.parse(new TextDecoder().decode(host.files.get(`file://${path}`)));

beforeEach(resetHost);
afterEach(() => vi.useRealTimers());

describe('a session’s file', () => {
  it('is written without contents unless the user chose to include them', async () => {
    host.picked = Uri.file('/out/a.json') as unknown as vscode.Uri;
    await exportAsking(deps);
    expect(exported('/out/a.json')).toMatchObject({ product: { version: '1.2.3' }, contents: false });
    host.choose = (items) => items.find(({ label }) => /^(JSON|With )/.test(label));
    await exportAsking(deps);
    expect(exported('/out/a.json').contents).toBe(true);
    expect(host.messages).toEqual([
      'Exported to a.json, without prompts and results.',
      'Exported to a.json, with prompts and results.',
    ]);
  });

  it.each([0, 23])('has the day of the user’s time zone in its name, at %s:30', async (hour) => {
    vi.useFakeTimers({ now: new Date(2026, 0, 2, hour, 30), toFake: ['Date'] });
    host.folders = [{ name: 'a', uri: Uri.file('/a') as unknown as vscode.Uri, index: 0 }];
    const save = vi.spyOn(vscode.window, 'showSaveDialog');
    await exportAsking(deps);
    expect(save.mock.lastCall?.[0]?.defaultUri?.path).toBe('/a/tool-search-2026-01-02.json');
    save.mockRestore();
  });

  it('is not written if the user chooses no place, format or contents', async () => {
    await exportAsking(deps);
    host.picked = Uri.file('/out/a.json') as unknown as vscode.Uri;
    for (const chosen of ['', 'JSON']) {
      host.choose = (items) => items.find(({ label }) => label === chosen);
      await exportAsking(deps);
    }
    expect(host.files.size).toBe(0);
  });
});
