// The client that the conformance suite starts, once for each scenario: `node client.mjs ADDRESS`. It is the extension's own, as it
// stands in a window, with a user who accepts every form as it is.
import { isObject } from '../../src/core/util/objects';
import { fillForm } from '../../src/tools/mcp/form';
import { TestWorld } from '../unit/tools/mcp/world';

const world = new TestWorld();
world.ask = async (_, form) => fillForm(form, async (field) => field.fallback);
world.definitions = [world.server('conformance', { type: 'http', url: process.argv.at(-1) })];
world.source.follow();
await world.ready();
const { state, detail } = world.info('conformance');
let failed = state === 'failed' ? `The server is failed: ${detail}` : '';
for (const { id, inputSchema } of world.source.catalog.tools) {
  const properties = isObject(inputSchema.properties) ? Object.keys(inputSchema.properties) : [];
  // The scenarios' tools take numbers, if anything.
  const { outcome, text } = await world.call(id, Object.fromEntries(properties.map((name) => [name, 2])));
  process.stdout.write(`${id}: ${outcome}: ${text}\n`);
  if (outcome !== 'ok') failed = text;
}
await world.source.dispose();
if (failed) process.stderr.write(`${failed}\n`);
process.exit(failed ? 1 : 0);
