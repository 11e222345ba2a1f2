// `npm run soak -- [--seed N] [--turns N] [--servers N] [--quiet]`: a session in which everything goes wrong that can.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importTypeScript } from '../importTypeScript.mjs';
import { main, UserError } from '../vscode/harness/say.mjs';

await main(async () => {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      turns: { type: 'string', default: '500' },
      servers: { type: 'string', default: '20' },
      quiet: { type: 'boolean', default: false },
    },
  });
  const whole = (name, least) => {
    if (!/^\d+$/.test(values[name]) || Number(values[name]) < least)
      throw new UserError(`--${name} must be a whole number from ${least} on.`);
    return Number(values[name]);
  };
  const options = { seed: whole('seed', 0), turns: whole('turns', 1), servers: whole('servers', 1) };
  const started = Date.now();
  const { soak } = await importTypeScript('test/soak/soak.ts');
  const tests = fileURLToPath(new URL('..', import.meta.url));
  const { broken, byStatus, reloads, calls, memory } = await soak({ ...options, tests, say: values.quiet ? () => {} : console.log });
  for (const what of broken) console.log(`✗ ${what}`);
  const statuses = Object.entries(byStatus).map(([status, count]) => `${count} ${status}`);
  const megabytes = [...memory].map(([turn, used]) => `${used} MB after ${turn}`);
  console.log(
    `${broken.length === 0 ? 'held' : 'BROKEN'}: seed ${options.seed}, ${options.turns} turns (${statuses.join(', ')}), ${calls} calls, ` +
      `${reloads} reloads, ${megabytes.join(', ')}, ${broken.length} broken, ${Math.round((Date.now() - started) / 1000)} s`,
  );
  process.exit(broken.length === 0 ? 0 : 1);
});
