// The client that the conformance suite starts, once for each scenario: `node client.mjs ADDRESS`. It is the
// extension's own client, with a user who accepts every form unchanged and agrees to every sign-in.
import { asObject, isObject, parseJson } from '../../src/core/util/objects';
import { fillForm } from '../../src/tools/mcp/connection/elicitationForm';
import { openSignInRedirect } from '../../src/tools/mcp/signIn/signInRedirect';
import { SignIns } from '../../src/tools/mcp/signIn/signInStore';
import { TestWorld } from '../unit/tools/mcp/world';

const stored = new Map<string, string>();
const redirect = openSignInRedirect(async (url) => url);
const world = new TestWorld();
const kept = new SignIns(
  {
    keys: async () => [...stored.keys()],
    get: async (key) => stored.get(key),
    store: async (key, value) => void stored.set(key, value),
    delete: async (key) => void stored.delete(key),
  },
  (secret) => world.secrets.add(secret),
);
world.ask = async (_, form) => fillForm(form, async (field) => field.fallback);
world.signIns = async () => ({ kept, redirect: () => redirect });
world.signIn = async (_, { page }) => {
  void fetch(page);
  return true;
};
/** Some scenarios register the client beforehand and pass its data here. */
const given = parseJson(process.env.MCP_CONFORMANCE_CONTEXT ?? '');
const oauth = isObject(given) && typeof given.client_id === 'string' ? { oauth: { clientId: given.client_id } } : {};
world.definitions = [world.server('conformance', { type: 'http', url: process.argv.at(-1), ...oauth })];
world.source.follow();
await world.ready();
const { state, detail } = world.info('conformance');
const calls = isObject(given) && Array.isArray(given.toolCalls) ? given.toolCalls.filter(isObject) : undefined;
for (const { id, name, inputSchema } of world.source.catalog.tools) {
  const properties = isObject(inputSchema.properties) ? Object.keys(inputSchema.properties) : [];
  // A scenario gives the arguments of its tools; otherwise the tools take numbers.
  const given = calls?.filter((call) => call.name === name).map((call) => asObject(call.arguments));
  for (const args of given ?? [Object.fromEntries(properties.map((property) => [property, 2]))]) {
    const { outcome, text } = await world.call(id, args);
    process.stdout.write(`${id}: ${outcome}: ${text}\n`);
  }
}
await world.source.dispose();
// The suite decides whether a call may fail.
if (state === 'failed') process.stderr.write(`The server is failed: ${detail}\n`);
process.exit(state === 'failed' ? 1 : 0);
