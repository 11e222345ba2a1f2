// `npm run soak -- [--seed N] [--turns N] [--servers N] [--quiet]`: runs a session with every possible fault.
import { fileURLToPath } from 'node:url';
import { parseOptions } from '../../scripts/options.mjs';
import { importTypeScript } from '../importTypeScript.mjs';
import { main, UserError } from '../vscode/harness/say.mjs';

const HELP = `A session of many turns over servers and services that fail as they are told, and the rules that must hold after each turn.
Prints a line a turn and a summary at the end; ends with 1 where a rule was broken.

Options
  --seed N     draws the same turns again; without it they are others each time
  --turns N    how many (500)
  --servers N  how many (20)
  --quiet      the summary alone, and what was broken
  --help       this text
`;

const OPTIONS = {
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  turns: { type: 'string', default: '500' },
  servers: { type: 'string', default: '20' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
};

await main(async () => {
  const values = parseOptions(OPTIONS);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const whole = (name, least) => {
    if (!/^\d{1,9}$/.test(values[name]) || Number(values[name]) < least)
      throw new UserError(`--${name} must be a whole number from ${least} to 999999999, not '${values[name]}'.`);
    return Number(values[name]);
  };
  const options = { seed: whole('seed', 0), turns: whole('turns', 1), servers: whole('servers', 3) };
  const started = Date.now();
  const { soak } = await importTypeScript('test/soak/soak.ts');
  const tests = fileURLToPath(new URL('..', import.meta.url));
  const { broken, byStatus, reloads, calls, perTurn } = await soak({
    ...options,
    tests,
    say: values.quiet ? () => {} : console.log,
  });
  for (const what of broken) console.log(`✗ ${what}`);
  const statuses = Object.entries(byStatus).map(([status, count]) => `${count} ${status}`);
  console.log(
    `${broken.length === 0 ? 'held' : 'BROKEN'}: seed ${options.seed}, ${options.turns} turns (${statuses.join(', ')}), ${calls} calls, ` +
      `${reloads} reloads, ${perTurn} bytes a turn, ${broken.length} broken, ${Math.round((Date.now() - started) / 1000)} s`,
  );
  process.exit(broken.length === 0 ? 0 : 1);
});
