import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectReply } from '../../../src/core/turn/reply';
import { createAnthropicPort } from '../../../src/providers/anthropic/anthropicPort';
import { Capabilities } from '../../../src/providers/capabilities';
import { KEYS, type StandIn, startStandIn } from '../../standin/server.mjs';
import { request } from './openai/definitions';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

describe('What can be cancelled', () => {
  it('is a request that waits to be sent again', async () => {
    const port = createAnthropicPort({
      model: 'claude-sonnet-4-6',
      name: 'Claude',
      apiKey: KEYS.anthropic,
      baseUrl: standIn.url,
      capabilities: new Capabilities(),
    });
    const stop = new AbortController();
    const silent = {
      text: () => {},
      search: () => {},
      warning: () => {},
      waiting: () => {},
      code: () => {},
      thinking: () => {},
    };
    const asked = request({ transcript: [{ kind: 'user', text: 'x [[fault:wait]]' }] });
    const reply = collectReply(port.send(asked, stop.signal), silent, 0, stop.signal);
    await expect.poll(() => standIn.requests.at(-1)?.status).toBe(429);
    stop.abort();
    expect((await reply).text).toBe('');
  });
});
