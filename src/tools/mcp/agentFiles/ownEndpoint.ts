/** The name of our endpoint's entry in other agents' files. */
export const ENDPOINT_ENTRY = 'tool-search';

/** Whether an address has the form of Tool Search's endpoint on this machine. */
export function isEndpointUrl(url: unknown): url is string {
  return typeof url === 'string' && /^http:\/\/(127\.0\.0\.1|localhost):\d+\/mcp$/.test(url);
}
