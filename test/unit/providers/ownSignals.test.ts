import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { ModelPort, ModelRequest } from '../../../src/core/ports';
import { withOwnSignals } from '../../../src/providers/ownSignals';
import { MODEL } from '../core/turn/world';

/** A port that listens to each of its signals, as SDKs do, and never stops listening. */
function listening() {
  const given: AbortSignal[] = [];
  const listen = (signal: AbortSignal) => {
    given.push(signal);
    signal.addEventListener('abort', () => {});
  };
  const count = async (_: unknown, signal: AbortSignal) => {
    listen(signal);
    return 1;
  };
  const port: Required<ModelPort> = {
    info: MODEL,
    async *send(_, signal) {
      listen(signal);
      yield { type: 'text', text: 'a' };
      yield { type: 'text', text: 'b' };
    },
    countTokens: count,
    countDefinitions: count,
    countToolPrompt: (signal) => count(0, signal),
    countRequest: count,
  };
  return { port: withOwnSignals(port), given };
}
const REQUEST = {} as ModelRequest;

it('leaves nothing on the caller’s signal, or the platform’s', async () => {
  const { port, given } = listening();
  const { signal } = new AbortController();
  for await (const _ of port.send(REQUEST, signal));
  for await (const _ of port.send(REQUEST, signal)) break;
  await port.countTokens('x', signal);
  await port.countDefinitions?.([], signal);
  await port.countToolPrompt?.(signal);
  await port.countRequest?.(REQUEST, signal);
  expect(given).toHaveLength(6);
  expect(given).not.toContain(signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('aborts with the caller, also if that has aborted already', async () => {
  const { port, given } = listening();
  const abort = new AbortController();
  const events = port.send(REQUEST, abort.signal)[Symbol.asyncIterator]();
  await events.next();
  expect(given[0]?.aborted).toBe(false);
  abort.abort(new Error('enough'));
  expect(given[0]?.reason).toEqual(new Error('enough'));
  await port.countTokens('x', abort.signal);
  expect(given[1]?.aborted).toBe(true);
});
