// Ports of Claude and GPT models over a `fetch` or a stand-in.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ModelPort } from '../../../src/core/ports';
import { createAnthropicPort } from '../../../src/providers/anthropic/anthropicPort';
import { Capabilities } from '../../../src/providers/capabilities';
import type { ModelAccess } from '../../../src/providers/modelAccess';
import { createOpenaiPort } from '../../../src/providers/openai/openaiPort';
import { KEYS, type StandIn, startStandIn } from '../../standin/server.mjs';

/** Creates the port of a model: of GPT if its id begins so, otherwise of Claude. */
export function portOf(model: string, rest: Partial<ModelAccess> = {}): ModelPort {
  const isGpt = model.startsWith('gpt');
  const baseUrl = isGpt ? 'https://gpt.test/v1' : 'https://claude.test';
  const usual = { model, name: model, apiKey: 'sk-test-port', baseUrl, capabilities: new Capabilities() };
  return (isGpt ? createOpenaiPort : createAnthropicPort)({ ...usual, ...rest });
}

/** Creates the port of a model of a stand-in. */
export function standInPort({ url }: StandIn, model: string, rest: Partial<ModelAccess> = {}): ModelPort {
  const isGpt = model.startsWith('gpt');
  const access = { apiKey: isGpt ? KEYS.openai : KEYS.anthropic, baseUrl: isGpt ? `${url}/v1` : url };
  return portOf(model, { ...access, ...rest });
}

/** Runs a stand-in during the tests of a file. Each test begins without faults. */
export function useStandIn() {
  let standIn: StandIn;
  beforeAll(async () => {
    standIn = await startStandIn();
  });
  beforeEach(() => standIn.faults.clear());
  afterAll(() => standIn.close());
  return {
    get standIn() {
      return standIn;
    },
    portOf: (model: string, rest?: Partial<ModelAccess>) => standInPort(standIn, model, rest),
  };
}
