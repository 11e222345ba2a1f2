// A row that is added to a built-in list in one place, and forgotten in another, fails here. The compiler checks the rest:
// rankings of strategies, kinds of Timeline events, and commands of the inspector are typed by their lists.
import { expect, it } from 'vitest';
import manifest from '../../package.json';
import { offeredModels } from '../../src/core/models/modelFacts';
import { SERVICES } from '../../src/core/settings/modelServices';
import { STRATEGIES } from '../../src/core/settings/settings';
import { chooseModels } from '../../src/providers/native/chooseModels';
import { isQuestion } from '../../src/ui/chat/questionCommands';
import { runSlashCommand, type SlashDeps } from '../../src/ui/chat/slashCommands';
import { selectDelivery, selectMode, selectStrategy } from '../../src/ui/commands/choices';
import { SettingsStore } from '../../src/vscode/settings';
import { host, resetHost } from './shim/host';

const settings = Object.assign({}, ...manifest.contributes.configuration.map(({ properties }) => properties));
const never = new AbortController().signal;
const strategies = Object.keys(STRATEGIES);

it.each([
  ['strategy', (store: SettingsStore) => selectStrategy(store, [])],
  ['delivery', selectDelivery],
  ['mode', selectMode],
] as const)('the command for %s offers every value of the setting', async (key, select) => {
  resetHost();
  let offered: readonly string[] = [];
  host.choose = (items) => {
    offered = items.map(({ label }) => label.replace(/^\$\(\w+\) /, ''));
    return undefined;
  };
  await select(new SettingsStore(() => strategies));
  expect(offered).toEqual(settings[`toolsearch.${key}`].enum);
});

it.each(Object.values(SERVICES))('every offered model of $name is in the model picker', (service) => {
  const offered = offeredModels(service.id);
  expect(offered).not.toEqual([]);
  expect(chooseModels(service, undefined).map(({ id }) => id)).toEqual(offered);
});

it.each(manifest.contributes.chatParticipants[0]?.commands ?? [])('/$name does what it says', async ({ name }) => {
  const said: unknown[] = [];
  const stream = { markdown: (text: unknown) => said.push(text), button: () => {} };
  const run = async () => runSlashCommand({} as SlashDeps, { command: name, argument: '' }, stream as never, never);
  if (!isQuestion(name)) await run().catch(() => {});
  expect(said).not.toContainEqual(expect.stringContaining('There is no command'));
});
