import { beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { RelayTurns } from '../../../../src/core/agents/relayTurns';
import { ModelError } from '../../../../src/core/ports';
import type { NativeModels } from '../../../../src/providers/native/nativeModels';
import { keyedModels } from '../../../../src/providers/vscodeLm/keyedModels';
import { RelayProvider } from '../../../../src/providers/vscodeLm/relayProvider';
import { call, makeServices, makeTool, makeWorld, type Script, TestModel, text } from '../../core/turn/world';
import { CancellationTokenSource, EventEmitter } from '../../shim/basics';
import { LanguageModelDataPart, LanguageModelTextPart, LanguageModelToolCallPart } from '../../shim/parts';

const { source } = makeWorld([makeTool('math', 'sum', 'Adds two numbers.')]);
const INFORMATION = { id: 'claude', name: 'Claude' } as vscode.LanguageModelChatInformation;

let asked: { key: string; number: number }[];
let ownKey: string | undefined;
let port: TestModel | undefined;
let provider: RelayProvider;
beforeEach(() => {
  asked = [];
  ownKey = 'own';
  port = undefined;
  const services = makeServices(source);
  const models = {
    service: { name: 'Anthropic' },
    offer: async (key: string, number: number) => {
      asked.push({ key, number });
      return [
        {
          id: 'claude',
          offeredId: number === 1 ? 'claude' : `claude@${number}`,
          name: 'Claude',
          maxInputTokens: 1,
          maxOutputTokens: 2,
        },
      ];
    },
    port: () => port,
  } as unknown as NativeModels;
  provider = new RelayProvider({
    relay: { services, turns: new RelayTurns(services.ledger, { now: () => 0, timer: () => () => {} }), log: () => {} },
    models: keyedModels(models, async () => ownKey),
    onDidChange: new EventEmitter<void>().event,
    ready: async () => {},
  });
});

const offered = (apiKey?: unknown) =>
  provider.provideLanguageModelChatInformation({
    silent: true,
    ...(apiKey === undefined ? {} : { configuration: { apiKey } }),
  } as never);

describe('the models of a service', () => {
  it('are offered once for each key, as VS Code asks for them', async () => {
    expect(await offered()).toMatchObject([{ id: 'claude', name: 'Claude with tool search', detail: 'Anthropic' }]);
    expect((await offered(' second '))[0]).toMatchObject({ id: 'claude@2' });
    expect((await offered('second')).length + (await offered('own')).length).toBe(0);
    expect(asked).toEqual([
      { key: 'own', number: 1 },
      { key: 'second', number: 2 },
    ]);
    expect(await offered()).toHaveLength(1);
  });

  it('are none without a key', async () => {
    ownKey = undefined;
    expect(await offered()).toEqual([]);
    expect(await offered('  ')).toEqual([]);
    expect(await offered(7)).toEqual([]);
  });
});

/** The parts of a reply that its caller gets. */
async function respond(script: readonly Script[], source = new CancellationTokenSource()) {
  const parts: unknown[] = [];
  port = new TestModel(script);
  await provider.provideLanguageModelChatResponse(
    INFORMATION,
    [{ role: 1, content: [new LanguageModelTextPart('add')], name: undefined }] as never,
    { tools: [{ name: 'edit', description: 'Edits', inputSchema: { type: 'object' } }], toolMode: 1 } as never,
    { report: (part) => parts.push(part) },
    source.token,
  );
  return parts;
}

describe('a reply to another agent', () => {
  it('has its texts and calls, and what is kept of it last', async () => {
    const parts = await respond([[text('One '), text('moment'), call('edit', { file: 'a' })]]);
    expect(parts.slice(0, -1)).toMatchObject([
      { value: 'One ' },
      { value: 'moment' },
      { name: 'edit', input: { file: 'a' } },
    ]);
    expect(parts.at(-2)).toBeInstanceOf(LanguageModelToolCallPart);
    expect(parts.at(-1)).toBeInstanceOf(LanguageModelDataPart);
  });

  it.each([
    ['key', 'NoPermissions'],
    ['model', 'NotFound'],
    ['limit', 'Blocked'],
  ] as const)('that fails for its %s is VS Code’s own error %s', async (refusal, code) => {
    const failing = respond([[new ModelError('No.', { refusal })]] as never);
    await expect(failing).rejects.toMatchObject({ code, message: 'No.' });
  });

  it('says that its model is gone', async () => {
    const gone = provider.provideTokenCount(INFORMATION, 'x', new CancellationTokenSource().token);
    await expect(gone).rejects.toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('Claude is no longer available'),
    });
  });
});
