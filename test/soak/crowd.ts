import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

/**
 * More clients than may be open come, and leave without an end of their sessions. Another one calls all the time.
 * @returns clients that were refused, and the one that calls if it was cut off
 */
export async function crowd(connect: () => Promise<Client>): Promise<readonly string[]> {
  const wrong: string[] = [];
  const busy = await connect();
  const refused = (error: unknown) => void wrong.push(`one of many clients: ${error}`);
  const come = async (count: number) => {
    const many = await connect();
    await many.ping();
    if (count % 3 === 0) await many.callTool({ name: 'search_tools', arguments: { queries: ['a'] } });
    await many.close();
  };
  for (let count = 0; count < 110; count++) {
    await come(count).catch(refused);
    const cut = (error: unknown) => void wrong.push(`a client that calls is cut off before idle ones: ${error}`);
    if (count % 10 === 9) await busy.ping().catch(cut);
  }
  await busy.close();
  return wrong;
}
