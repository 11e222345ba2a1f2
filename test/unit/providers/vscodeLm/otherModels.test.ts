import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { RelayTurns } from '../../../../src/core/agents/relayTurns';
import type { Ledger } from '../../../../src/core/ledger/ledger';
import { choosePort } from '../../../../src/providers/vscodeLm/choosePort';
import { createOtherModels } from '../../../../src/providers/vscodeLm/otherModels';
import { RelayProvider } from '../../../../src/providers/vscodeLm/relayProvider';
import { makeCatalog, makeServices, makeTool, TestSource } from '../../core/turn/world';
import { CancellationTokenSource, EventEmitter } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';
import {
  type LanguageModelChatMessage,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
} from '../../shim/parts';

type Options = vscode.LanguageModelChatRequestOptions;
type Answer = (
  messages: LanguageModelChatMessage[],
  options: Options,
  token: vscode.CancellationToken,
) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;

const answering: Answer = async function* () {
  yield new LanguageModelTextPart('Fine.');
};

function model(name: string, rest: object = {}, answer: Answer = answering): vscode.LanguageModelChat {
  const [vendor, ...id] = name.split('/');
  return {
    vendor,
    id: id.join('/'),
    name: `Model ${name}`,
    family: 'f',
    version: '1',
    maxInputTokens: 1_000,
    capabilities: { supportsToolCalling: true },
    sendRequest: async (messages: LanguageModelChatMessage[], options: Options, token: vscode.CancellationToken) => ({
      stream: await answer(messages, options, token),
    }),
    countTokens: async (text: string) => text.length,
    ...rest,
  } as unknown as vscode.LanguageModelChat;
}

/** The verbs and things of 203 tools. */
const VERBS = ['create', 'update', 'delete', 'archive', 'print', 'send', 'move'];
const THINGS = [
  ...['invoice', 'shipment', 'warranty', 'booking', 'customer', 'refund', 'voucher', 'contract', 'parcel', 'reminder'],
  ...['ticket', 'branch', 'release', 'report', 'meeting', 'vehicle', 'room', 'badge', 'survey', 'lease', 'permit'],
  ...['claim', 'policy', 'recipe', 'sensor', 'route', 'license', 'quote', 'draft'],
];
const TASKS = ['invoice', 'parcel', 'ticket', 'sensor', 'quote', 'lease'].flatMap((thing) => [
  `archive the ${thing}`,
  `send the ${thing}`,
]);

let wanted: readonly string[];
let changed: EventEmitter<unknown>;
let others: ReturnType<typeof createOtherModels>;
let changes: number;
beforeEach(() => {
  resetHost();
  wanted = ['*'];
  changes = 0;
  changed = new EventEmitter();
  others = createOtherModels(() => wanted, { onDidChange: changed.event } as never);
  others.onDidChange(() => {
    changes++;
  });
});
afterEach(() => others.dispose());

async function listedOf(...models: vscode.LanguageModelChat[]): Promise<readonly string[]> {
  host.models = models;
  await others.refresh();
  return (await others.list()).map(({ id }) => id);
}

describe('the models that are offered with tool search', () => {
  const ALL = ['ollama/qwen', 'copilot/gpt-5.4', 'toolsearch/search-only', 'toolsearch-openai/gpt-6-sol'];
  const OWN = ['toolsearch-others/ollama/qwen'];

  it.each([
    [['*'], ['ollama/qwen']],
    [
      ['*', 'copilot'],
      ['ollama/qwen', 'copilot/gpt-5.4'],
    ],
    [['copilot'], ['copilot/gpt-5.4']],
    [['toolsearch-openai'], []],
    [[], []],
  ])('for the vendors %j are %j', async (vendors, expected) => {
    wanted = vendors;
    expect(await listedOf(...[...ALL, ...OWN].map((name) => model(name)))).toEqual(expected);
  });

  it('are none twice, and none that can’t call tools', async () => {
    const mute = model('ollama/mute', { capabilities: { supportsToolCalling: false } });
    expect(await listedOf(model('ollama/qwen'), model('ollama/qwen'), mute)).toEqual(['ollama/qwen']);
  });

  it('are announced once after each change, also of the setting', async () => {
    await listedOf(model('ollama/qwen'));
    await listedOf(model('ollama/qwen'));
    expect(changes).toBe(1);
    wanted = [];
    changed.fire(undefined);
    await expect.poll(() => changes).toBe(2);
    expect(await others.list()).toEqual([]);
  });

  it('are read without listing them, which VS Code would wait for', async () => {
    host.models = [model('ollama/qwen')];
    expect(await others.list()).toEqual([]);
    host.modelsChanged.fire();
    await expect.poll(async () => (await others.list()).length).toBe(1);
  });

  it('say what they are', async () => {
    await listedOf(model('ollama/qwen', { capabilities: { supportsToolCalling: true, supportsImageToText: true } }));
    expect(await others.list()).toMatchObject([
      {
        name: 'Model ollama/qwen with tool search',
        detail: 'ollama',
        maxInputTokens: 1_000,
        capabilities: { toolCalling: true, imageInput: true },
      },
    ]);
  });

  it('are asked by @toolsearch directly', async () => {
    await listedOf(model('ollama/qwen'));
    const chosen = model('toolsearch-others/ollama/qwen');
    expect(choosePort(chosen, [others]).info).toMatchObject({ vendor: 'ollama', id: 'qwen', estimates: true });
  });
});

describe('a request to such a model', () => {
  const NAMES = VERBS.flatMap((verb) => THINGS.map((thing) => `${verb}_${thing}`));
  const TOOLS = NAMES.map((name) => ({
    name: `mcp_desk_${name}`,
    description: `To ${name.replace('_', ' the ')}.`,
    inputSchema: { type: 'object' },
  }));
  const NO_TOKEN = new CancellationTokenSource().token;
  let ledger: Ledger;

  /** Asks a model with 203 tools, and returns the parts that the chat gets. */
  async function asked(answer: Answer, content: readonly unknown[] = [new LanguageModelTextPart('add')], rest = {}) {
    const source = new TestSource(
      makeCatalog(NAMES.map((name) => makeTool('desk', name, `To ${name.replace('_', ' the ')}.`))),
    );
    const services = makeServices(source);
    ledger = services.ledger;
    const turns = new RelayTurns(ledger, { now: () => 0, timer: () => () => {} });
    const { onDidChange } = others;
    const relay = { services, turns, log: () => {} };
    const provider = new RelayProvider({ relay, ready: async () => {}, models: others, onDidChange });
    await listedOf(model('ollama/qwen', rest, answer));
    const [information] = await others.list();
    const parts: unknown[] = [];
    const cancelling = new CancellationTokenSource();
    const answered = provider.provideLanguageModelChatResponse(
      information as vscode.LanguageModelChatInformation,
      [{ role: 1, content, name: undefined }] as never,
      { tools: TOOLS, toolMode: 1 } as never,
      { report: (part) => parts.push(part) },
      cancelling.token,
    );
    return { parts, answered, cancelling };
  }

  /** Refuses more than 128 tools, searches for what it is asked, and calls the first tool found. */
  const limited: Answer = async function* (messages, { tools = [] }) {
    if (tools.length > 128) throw new Error('At most 128 functions.');
    const texts = JSON.stringify(messages);
    const [, found] = /"value":"(mcp_\w+)/.exec(texts) ?? [];
    const [, task] = /do: ([\w ]+)/.exec(texts) ?? [];
    if (found) yield new LanguageModelToolCallPart('c2', found, { number: 7 });
    else yield new LanguageModelToolCallPart('c1', 'search_tools', { queries: [task] });
  };

  it.each(TASKS)('can do what a limit of 128 tools forbids: %s', async (task) => {
    const { stream } = await model('ollama/qwen', {}, limited).sendRequest([], { tools: TOOLS }, NO_TOKEN);
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('At most 128 functions.');
    const { parts, answered } = await asked(limited, [new LanguageModelTextPart(`do: ${task}`)]);
    await answered;
    expect(parts.filter((part) => part instanceof LanguageModelToolCallPart)).toMatchObject([
      { name: `mcp_desk_${task.replace(' the ', '_')}`, input: { number: 7 } },
    ]);
  });

  it('has estimated figures, although the model counts', async () => {
    await (await asked(answering)).answered;
    const tokens = { sent: { certainty: 'estimated' }, baseline: { certainty: 'estimated' } };
    await expect.poll(() => ledger.events.find(({ type }) => type === 'roundEnded')).toMatchObject({ tokens });
  });

  it('passes images on if the model reads them, and else says so', async () => {
    const image = new LanguageModelDataPart(Buffer.from('AAA'), 'image/png');
    const seen: LanguageModelChatMessage[][] = [];
    const watching: Answer = async function* (messages) {
      seen.push(messages);
      yield new LanguageModelTextPart('A page.');
    };
    const content = [new LanguageModelTextPart('what is this'), image];
    const reads = { capabilities: { supportsToolCalling: true, supportsImageToText: true } };
    await (await asked(watching, content, reads)).answered;
    await (await asked(watching, content)).answered;
    const last = (messages: LanguageModelChatMessage[] = []) => messages.at(-1)?.content;
    expect(last(seen[0])).toEqual([new LanguageModelTextPart('what is this'), image]);
    expect(last(seen[1])).toMatchObject([{ value: 'what is this' }, { value: '[image/png, 3 bytes, not shown]' }]);
  });

  it.each<[Error, { code: string } | { message: string }]>([
    [LanguageModelError.NoPermissions('No.'), { code: 'NoPermissions' }],
    [LanguageModelError.NotFound('No.'), { code: 'NotFound' }],
    [LanguageModelError.Blocked('No.'), { code: 'Blocked' }],
    [new Error('502: out of memory'), { message: 'Model ollama/qwen failed: 502: out of memory' }],
  ])('fails as the model does: %s', async (error, failure) => {
    const { answered } = await asked(() => Promise.reject(error));
    await expect(answered).rejects.toMatchObject(failure);
  });
});
