// The server that the conformance suite tests: the extension's endpoint over a small catalog. The suite sends no token,
// so a proxy adds the token and passes on everything else unchanged.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EndpointTools } from '../../src/core/agents/endpointPort';
import { openEndpoint } from '../../src/endpoint/endpoint';
import { makeAgentTools } from '../unit/core/agents/world';
import { filler, ok, TestRunner } from '../unit/core/turn/world';

/** Opens the endpoint and its proxy. `close` ends both. */
export async function openConformanceServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { agent } = makeAgentTools(filler('many', 100));
  const tools: EndpointTools = {
    definitions: () => agent.definitions(),
    guidance: () => agent.guidance(),
    answer: (call, signal) =>
      agent.answer(call, { runner: new TestRunner((tool) => ok(tool.id)), asking: () => 'never' }, signal),
  };
  const endpoint = await openEndpoint({ tools, token: 'conformance', port: 0, version: '0.0.0', log: () => {} });
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: 'Bearer conformance' };
    const { method, url: path } = incoming;
    const onward = request({ host: '127.0.0.1', port: endpoint.port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await endpoint.close();
    },
  };
}
