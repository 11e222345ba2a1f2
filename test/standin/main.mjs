// Runs the stand-in by itself, to try the extension without a key: node test/standin/main.mjs [port]
import { main, UserError } from '../vscode/harness/say.mjs';
import { KEYS, startStandIn } from './server.mjs';

await main(async () => {
  const [port = '0', ...more] = process.argv.slice(2);
  if (!/^\d+$/.test(port) || Number(port) > 65_535 || more.length > 0)
    throw new UserError('Usage: node test/standin/main.mjs [port]');
  const { url } = await startStandIn({ port: Number(port) }).catch((error) => {
    throw new UserError(`Port ${port} can't be had (${error.code}): choose another, or leave it out.`);
  });
  // The parent process that talks to the stand-in has ended.
  process.once('disconnect', () => process.exit());
  console.log(`Stand-in for Claude and GPT.
  toolsearch.anthropic.baseUrl ${url}      ANTHROPIC_API_KEY=${KEYS.anthropic}
  toolsearch.openai.baseUrl    ${url}/v1   OPENAI_API_KEY=${KEYS.openai}
  what was asked: ${url}/__requests`);
});
