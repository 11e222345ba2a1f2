import { describe, expect, it } from 'vitest';
import { collectReply } from '../../../src/core/turn/reply';
import { request } from './openai/definitions';
import { useStandIn } from './ports';

const services = useStandIn();

describe('What can be cancelled', () => {
  it('is a request that waits to be sent again', async () => {
    const port = services.portOf('claude-sonnet-4-6');
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
    await expect.poll(() => services.standIn.requests.at(-1)?.status).toBe(429);
    stop.abort();
    expect((await reply).text).toBe('');
  });
});
