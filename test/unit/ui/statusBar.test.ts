import { expect, it } from 'vitest';
import { StatusBar } from '../../../src/ui/statusBar';
import { host, resetHost } from '../shim/host';

const NOTHING = {
  ...{ startingServers: [], failedServers: [], diagnostics: 0, trusted: true, set: undefined, setNote: undefined },
  ...{ inRequest: 0, byCallTool: 0, total: 0, used: 0, unsent: 0 },
};

it('the status bar tells what there is, and warns while needed', async () => {
  resetHost();
  const bar = new StatusBar();
  const told: string[] = [];
  const states: readonly Partial<Parameters<typeof bar.update>[0]>[] = [
    ...[{ diagnostics: 1 }, {}, { set: '' }, { set: '$(check) All' }, { set: 'Web', setNote: 'It is gone.' }],
    { total: 1, inRequest: 1 },
    { total: 1, used: 1, byCallTool: 1, unsent: 1 },
    { total: 214, inRequest: 30, used: 2, byCallTool: 3, unsent: 4 },
    ...[{ total: 9, startingServers: ['a', 'b\n'] }, { failedServers: ['a\n', 'c'], trusted: false }, { total: 1 }],
  ];
  for (const state of states) {
    bar.update({ ...NOTHING, ...state });
    told.push(...[state, ...[...host.statusBar].sort()].map((each) => JSON.stringify(each)));
  }
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('statusBar.txt');
});
