import { expect, it } from 'vitest';
import { fetchIssuer } from '../../../../../src/tools/mcp/signIn/issuerRequests';

it.each(['http://127.0.0.1:1/register', 'https://localhost:1/token', 'http://[::1]:1/'])(
  'sends nothing to %s if another machine names it',
  async (service) => {
    await expect(fetchIssuer(new URL('https://mcp.example/mcp'))(service)).rejects.toThrow(/which is this machine/);
    await expect(fetchIssuer(new URL('http://127.0.0.1:9/mcp'))(service)).rejects.toThrow('fetch failed');
  },
);

it('sends nothing to another machine unencrypted', async () => {
  await expect(fetchIssuer(new URL('http://login.example/mcp'))('http://login.example/')).rejects.toThrow(
    /unencrypted/,
  );
});
