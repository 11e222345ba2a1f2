// Pins: the user's choices for single tools and servers, stored in the workspace's state.

import { isObject } from '../util/objects';

/** The user's choices for a tool or a server. `auto` leaves the decision to the rules, `off` hides it from models. */
export const PIN_VALUES = ['auto', 'eager', 'deferred', 'off'] as const;
export type PinValue = (typeof PIN_VALUES)[number];

/** All pins of a workspace, by tool and by server. A missing entry means `auto`. */
export interface Pins {
  readonly tools: { readonly [id: string]: Exclude<PinValue, 'auto'> };
  readonly servers: { readonly [server: string]: Exclude<PinValue, 'auto'> };
  /** The name of the chosen set of tools, even if it isn't in `toolsearch.sets`; absent if all tools are shown. */
  readonly set?: string;
}

export const NO_PINS: Pins = { tools: {}, servers: {} };

/** The tool or server that a pin applies to. */
export interface PinTarget {
  readonly kind: 'tool' | 'server';
  readonly id: string;
}

/** Returns the pins with one of them changed. `auto` removes a pin. */
export function withPin(pins: Pins, { kind, id }: PinTarget, pin: PinValue): Pins {
  return kind === 'tool'
    ? { ...pins, tools: withEntry(pins.tools, id, pin) }
    : { ...pins, servers: withEntry(pins.servers, id, pin) };
}

/** Returns the pin of a tool or a server itself. A server may have any name, even `constructor`. */
export function pinOf(pins: Pins, { kind, id }: PinTarget): PinValue {
  const entries = kind === 'tool' ? pins.tools : pins.servers;
  return (Object.hasOwn(entries, id) ? entries[id] : undefined) ?? 'auto';
}

/** Reads stored pins. Leaves out invalid ones, such as those of a newer version. */
export function parsePins(kept: unknown): Pins {
  const { tools, servers, set } = isObject(kept) ? kept : {};
  return {
    tools: validEntries(tools),
    servers: validEntries(servers),
    ...(typeof set === 'string' ? { set } : {}),
  };
}

function validEntries(kept: unknown): Pins['tools'] {
  const isPin = (entry: [string, unknown]): entry is [string, Exclude<PinValue, 'auto'>] =>
    entry[1] !== 'auto' && (PIN_VALUES as readonly unknown[]).includes(entry[1]);
  return Object.fromEntries(Object.entries(isObject(kept) ? kept : {}).filter(isPin));
}

function withEntry(entries: Pins['tools'], id: string, pin: PinValue): Pins['tools'] {
  const others = Object.entries(entries).filter(([name]) => name !== id);
  return Object.fromEntries(pin === 'auto' ? others : [...others, [id, pin]]);
}
