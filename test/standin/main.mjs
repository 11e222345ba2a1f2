// The stand-in by itself, to try the extension without a key: node test/standin/main.mjs [port]
import { KEYS, startStandIn } from './server.mjs';

const { url } = await startStandIn({ port: Number(process.argv[2] ?? 0) });
console.log(`Stand-in for Claude and GPT.
  toolsearch.anthropic.baseUrl ${url}      ANTHROPIC_API_KEY=${KEYS.anthropic}
  toolsearch.openai.baseUrl    ${url}/v1   OPENAI_API_KEY=${KEYS.openai}
  what was asked: ${url}/__requests`);
