import * as z from 'zod/mini';
import { NO_PINS, type Pins } from './settings';

export type PinValue = 'eager' | 'deferred' | 'auto';

/** What a pin is put on; `all` stands for every server, and its `id` doesn't matter. */
export interface PinTarget {
  readonly kind: 'tool' | 'server' | 'all';
  readonly id: string;
}

/**
 * The pins after one was set. `auto` takes a pin away. A pin on everything goes to every server and takes the pins of single
 * tools away, since those would speak first.
 * @param servers names of all servers
 */
export function withPin(pins: Pins, target: PinTarget, pin: PinValue, servers: readonly string[]): Pins {
  switch (target.kind) {
    case 'tool':
      return { ...pins, tools: withEntry(pins.tools, target.id, pin) };
    case 'server':
      return { ...pins, servers: withEntry(pins.servers, target.id, pin) };
    case 'all':
      return pin === 'auto' ? NO_PINS : { tools: {}, servers: Object.fromEntries(servers.map((server) => [server, pin])) };
  }
}

/** The pin that stands on a tool or a server itself. */
export function pinOf(pins: Pins, target: PinTarget): PinValue {
  switch (target.kind) {
    case 'tool':
      return pins.tools[target.id] ?? 'auto';
    case 'server':
      return pins.servers[target.id] ?? 'auto';
    case 'all':
      return 'auto';
  }
}

const table = z.record(z.string(), z.enum(['eager', 'deferred']));
const pinsSchema = z.object({ tools: table, servers: table });

/** Reads pins that were kept; what can't be read is no pin. */
export function parsePins(kept: unknown): Pins {
  const parsed = pinsSchema.safeParse(kept);
  return parsed.success ? parsed.data : NO_PINS;
}

function withEntry(entries: Pins['tools'], id: string, pin: PinValue): Pins['tools'] {
  const others = Object.entries(entries).filter(([name]) => name !== id);
  return Object.fromEntries(pin === 'auto' ? others : [...others, [id, pin]]);
}
