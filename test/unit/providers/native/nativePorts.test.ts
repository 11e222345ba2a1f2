import { afterAll, expect, it } from 'vitest';
import { createNativePorts } from '../../../../src/providers/native/nativePorts';
import { KEYS, startStandIn } from '../../../standin/server.mjs';
import { filler, makeWorld, playTurn } from '../../core/turn/world';

const standIn = await startStandIn();
afterAll(() => standIn.close());

it.each([
  ['anthropic', 'claude-sonnet-4-6', standIn.url],
  ['openai', 'gpt-5.4', `${standIn.url}/v1`],
] as const)('a refusal to one key or address of %s isn’t another’s', async (service, id, baseUrl) => {
  const ports = createNativePorts();
  const portBy = (apiKey: string) =>
    ports[service]({ id, name: id, maxInputTokens: 200_000, maxOutputTokens: 32_000 }, { apiKey, baseUrl });
  const refused = portBy(KEYS[service]);
  expect(refused.info.native).toBeDefined();
  await playTurn(makeWorld(filler('other', 40)), refused, {
    prompt: 'what is there? [[fault:notoolsearch]]',
    settings: { delivery: 'server' },
  });
  expect(refused.info.native).toBeUndefined();
  expect(portBy('another').info.native).toBeDefined();
});
