// Rules on what users press: commands, buttons and follow-up questions of the chat, and the inspector's page.
import { eventsOf } from '../../src/core/ledger/events';
import type { PinValue } from '../../src/core/settings/pins';
import type { ToHost } from '../../src/inspector/protocol/requests';
import { keptItems, keptTurn } from '../../src/ui/chat/history';
import { host } from '../unit/shim/host';
import asked from './asked.json';
import { KNOWN_EVERY } from './plan';
import { leftAfter } from './promises';
import { different, sorted } from './shown';
import type { Window } from './window';

/** Accepts one changed tool on the inspector's page. All others have to stay as they are. */
export async function accept({ source, page, inquire }: Window, id: string): Promise<readonly string[]> {
  const others = String(source.changed.flatMap((it) => (it.id === id ? [] : it.id)));
  if (page) void inquire({ type: 'run', command: 'acceptChanged', server: id.replace(/\/.*/, ''), tool: id });
  else source.acceptChanged(source.changed.filter((it) => it.id === id));
  const ids = () => String(source.changed.map((it) => it.id));
  const wrong = await leftAfter(3_000, () => [ids()].filter((now) => now !== others));
  return wrong.map((ids) => `${id} was accepted, and changed are ${ids}, where they have to be ${others}`);
}

/** Follow-up questions and buttons that don't belong to an answer. */
export function misled(
  { ledger: { events }, source }: Window,
  { result: { metadata, errorDetails }, next, buttons }: Awaited<ReturnType<Window['ask']>>,
): readonly string[] {
  const [turn, message] = [keptTurn(metadata), errorDetails?.message ?? ''];
  const missed = eventsOf(events, 'searched').findLast((it) => it.turn === turn && it.hits.length === 0)?.query;
  const failed = source.catalog.servers.some(({ state }) => state === 'failed') ? 'Which server failed?' : '';
  const has = turn !== undefined && message === '' && keptItems(metadata)?.length;
  const all = has ? [missed === undefined ? [] : `find ${missed}`, 'stats ', `tools ${failed}`].flat() : [];
  const told = next.map(
    ({ command, prompt, label = '' }) => `${command} ${/^Which server/.test(label) ? label : prompt}`,
  );
  const named = (text: string) => [...new Set(text.match(/\btoolsearch\.[a-zA-Z]+(?:\.[a-zA-Z]+)?/g))].sort().join();
  return different([
    ['follow-up questions', told.join(), all.join()],
    ['a button for keys', buttons.some((it) => /manageKeys/.test(it.command)), /Manage API Keys/.test(message)],
    ['a button for settings', named(String(buttons.flatMap((it) => it.arguments ?? []))), named(message)],
  ]);
}

/** What a user changes by pressing buttons: settings, pins and the chosen set. */
const stateOf = ({ pins: { current } }: Window): { readonly [name: string]: unknown } => ({
  ...{ ...host.settings.user, ...current.tools, ...current.servers },
  ...(current.set === undefined ? {} : { set: current.set }),
});

/**
 * Presses one button after another, turn by turn: runs a command, in whose list the label that ends so is chosen, or
 * asks as the page does. What isn't named in `then` has to stay, and null is gone. Without `then`, all pins are gone.
 */
export async function mispressed(window: Window, turn: number): Promise<readonly string[]> {
  const { presses } = asked;
  const { run, at, choose: label, ask, then } = presses[Math.floor(turn / KNOWN_EVERY) % presses.length] ?? {};
  if (ask && !window.page) return [];
  const [before, { user }, { choose, press }] = [stateOf(window), host.settings, host];
  const values = { ...user };
  host.choose = (items) => items.find((item) => item.label.endsWith(` ${label}`));
  host.press = (_, [first]) => first;
  if (ask) void window.inquire(ask as ToHost);
  else await host.registered.get(`toolsearch.${run}`)?.(at);
  const all = Object.entries({ ...before, ...then }).filter(([name, value]) =>
    then ? value !== null : name === 'set' || name.includes('.'),
  );
  const wanted = sorted(Object.fromEntries(all));
  const left = await leftAfter(3_000, () => [sorted(stateOf(window))].filter((state) => state !== wanted));
  Object.assign(host, { choose, press });
  for (const key of Object.keys(user)) delete user[key];
  Object.assign(user, values);
  host.settingsChanged.fire({ affectsConfiguration: () => true });
  for (const id of Object.keys({ ...stateOf(window), ...before }).filter((name) => !/^set$|\./.test(name)))
    await window.pins.set({ kind: id.includes('/') ? 'tool' : 'server', id }, (before[id] ?? 'auto') as PinValue);
  await window.pins.choose(before.set as string | undefined);
  return left.map((state) => `${JSON.stringify(run ?? ask)} leads to ${state}, where it has to be ${wanted}`);
}
