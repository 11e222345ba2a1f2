/** The name of our endpoint's entry in the files of other agents. */
export const ENDPOINT_ENTRY = 'tool-search';

/** Whether an address can only be an endpoint of Tool Search on this machine. */
export function isEndpointUrl(url: unknown): boolean {
  return typeof url === 'string' && /^http:\/\/(127\.0\.0\.1|localhost):\d+\/mcp$/.test(url);
}
