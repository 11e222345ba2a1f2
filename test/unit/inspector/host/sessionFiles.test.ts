import { beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { exportAsking } from '../../../../src/inspector/host/sessionFiles';
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

  it('is not written if the user chooses no place, format or contents', async () => {
    await exportAsking(deps);
    host.picked = Uri.file('/out/a.json') as unknown as vscode.Uri;
    host.choose = () => undefined;
    await exportAsking(deps);
    expect(host.files.size).toBe(0);
  });
});
