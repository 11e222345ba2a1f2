import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/core/util/knownSecrets';
import { registerCommands, tellForgotten, toolCommands, useSearchOnly } from '../../../src/ui/commands/commands';
import { PinStore } from '../../../src/vscode/pinStore';
import { SettingsStore } from '../../../src/vscode/settings';
import { makeCatalog, makeTool } from '../core/turn/world';
import { Memento } from '../shim/basics';
import { host, resetHost, tell } from '../shim/host';
import steps from './commands.json';
import { quickBox } from './quickBox';

const READ = makeTool('files', 'read_$(x)', `Reads.\n${'x'.repeat(200)}`, { title: 'Read a file' });
const PUSH = makeTool('git', 'push', 'Pushes.');
const item = (name: string, kind: 'prompt' | 'resource', title?: string) =>
  makeTool('files', name, '', { item: { kind, address: `at:${name}` }, ...(title ? { title } : {}) });
const CATALOG = {
  ...makeCatalog([PUSH, READ, { ...makeTool('vscode', 'open'), origin: 'vscode' }]),
  items: [item('welcome', 'prompt', 'Say $(hi)'), item('readme', 'resource'), READ],
};

/** The value of a setting that can't be written. */
const READ_ONLY = 'on';

/** A command with what the user types into the box, and chooses or presses then. */
type Step = readonly [command: string, typed?: string, picks?: readonly string[], ...given: unknown[]];

it('each command shows and does what its file says', async () => {
  resetHost();
  Object.assign(host.settings.user, {
    'toolsearch.sets': { Web: ['git/*'] },
    'toolsearch.hiddenTools': { git: ['a'] },
  });
  const told: string[] = [];
  const pins = new PinStore(new Memento());
  const settings = new SettingsStore(() => ['mine']);
  const update = settings.update.bind(settings);
  settings.update = async (key, value) =>
    value === READ_ONLY ? Promise.reject(new Error('The file is read-only.')) : update(key, value);
  registerCommands(
    {
      ...toolCommands({
        settings,
        pins,
        catalog: () => CATALOG,
        refresh: async () => CATALOG,
        registeredStrategies: () => ['mine'],
        createFilter: async (tools) => (text) => tools.filter(({ id }) => id.includes(text)),
        loadingOf: (id) => (id === 'git/push' ? { loading: 'eager', reason: 'pinned $(x)' } : undefined),
        use: async ({ id }) => void told.push(` use ${id}`),
      }),
      forgetInputs: () => tellForgotten(2),
      fails: () => Promise.reject(new Error('No [x](command:y) of a-secret-1')),
    },
    { error: (...said: unknown[]) => told.push(` log ${said.join(' ')}`) } as unknown as vscode.LogOutputChannel,
    new KnownSecrets().with(['a-secret-1']).redact,
  );
  let picks: string[] = [];
  host.told = told;
  host.choose = (items) => {
    const pick = picks.shift();
    return items.find(({ label }) => pick !== undefined && label.includes(pick));
  };
  host.press = (_, [first]) => (picks.shift() === first ? first : undefined);
  const stateOf = () => ({ pins: pins.current, settings: host.settings.user });
  for (const [name, typed = '', wanted = [], ...given] of steps as unknown as readonly Step[]) {
    const before = JSON.stringify(stateOf());
    told.push([name, typed, ...wanted, ...given.map((each) => JSON.stringify(each))].join(' · '));
    picks = [...wanted];
    const { box, type, accept } = quickBox();
    box.show = () => {
      type(typed);
      tell('box', [box.placeholder, box.title], box.items);
      const chosen = host.choose(box.items);
      if (chosen) accept([chosen as vscode.QuickPickItem]);
      else box.hide();
    };
    await host.registered.get(`toolsearch.${name}`)?.(...given);
    for (const text of host.clipboard.splice(0)) told.push(` copies ${text}`);
    for (const each of host.commands.splice(0)) told.push(` runs ${JSON.stringify(each)}`);
    if (JSON.stringify(stateOf()) !== before) told.push(` keeps ${JSON.stringify(stateOf())}`);
  }
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('commands.txt');
});

it('“Search only” is offered before the chat opens with it', async () => {
  resetHost();
  const using = useSearchOnly(new SettingsStore(() => []));
  await new Promise((resolve) => setImmediate(resolve));
  host.modelsChanged.fire();
  await new Promise((resolve) => setImmediate(resolve));
  expect([host.settings.user, host.commands]).toEqual([{ 'toolsearch.searchOnlyModel': 'on' }, []]);
  host.models = [{} as vscode.LanguageModelChat];
  host.modelsChanged.fire();
  await using;
  expect(host.modelsChanged.size).toBe(0);
  host.settings.user['toolsearch.searchOnlyModel'] = 'auto';
  await useSearchOnly(new SettingsStore(() => []));
  const chat = {
    query: '@toolsearch ',
    isPartialQuery: true,
    modelSelector: { vendor: 'toolsearch', id: 'search-only' },
  };
  expect(host.commands).toEqual(Array(2).fill(['workbench.action.chat.open', chat]));
  expect(host.settings.user).toEqual({ 'toolsearch.searchOnlyModel': 'auto' });
});
