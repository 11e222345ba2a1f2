// Replays recorded exchanges: node test/replay/run.mjs FILE… [--json]
import { importTypeScript } from '../importTypeScript.mjs';
import { main } from '../vscode/harness/say.mjs';

await main(async () => {
  const replaying = await importTypeScript('test/replay/replay.ts');
  await replaying.main(process.argv.slice(2));
});
