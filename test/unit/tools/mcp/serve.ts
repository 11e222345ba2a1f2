import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves HTTP on a free port of this machine. Returns its origin and a function that ends it. */
export async function serveHttp(handle: RequestListener) {
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves HTTP until the running test has ended. Returns the origin. */
export async function serveInTest(handle: RequestListener): Promise<string> {
  const { origin, stop } = await serveHttp(handle);
  onTestFinished(stop);
  return origin;
}
