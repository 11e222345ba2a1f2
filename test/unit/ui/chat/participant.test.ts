import { beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { type Catalog, createCatalog, type ServerInfo } from '../../../../src/core/catalog/catalog';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { Ledger, type LedgerEntry } from '../../../../src/core/ledger/ledger';
import { describeNow } from '../../../../src/core/planning/loadingOverview';
import { NO_PINS, type Pins } from '../../../../src/core/settings/pins';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import type { TurnOutcome } from '../../../../src/core/turn/turn';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { keptItems } from '../../../../src/ui/chat/history';
import { type ChatDeps, registerParticipant } from '../../../../src/ui/chat/participant';
import { called, searched, started } from '../../../data/entries';
import { makeTool, planInputs } from '../../core/turn/world';
import { EventEmitter } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';
import { TestStream } from './stream';

beforeEach(() => resetHost());

const SUM = makeTool('math', 'sum', 'Adds');
const BROWSER: Tool = { ...makeTool('vscode', 'browse', 'Opens a page'), origin: 'vscode' };
const running: ServerInfo = { name: 'math', state: 'running', problems: [] };

interface Asked {
  readonly tools?: readonly Tool[];
  readonly servers?: readonly ServerInfo[];
  /** Tools that changed and that the user hasn't accepted. */
  readonly withheld?: readonly Tool[];
  readonly settings?: Partial<Settings>;
  readonly pins?: Pins;
  readonly references?: readonly string[];
  readonly runTurn?: ChatDeps['runTurn'];
  readonly command?: string;
  readonly prompt?: string;
  /** The entries that each earlier turn has left in the ledger. */
  readonly happened?: readonly (LedgerEntry | readonly LedgerEntry[])[];
  /** The address of the chat. */
  readonly chat?: string;
  readonly secrets?: readonly string[];
  readonly waits?: (options: Parameters<ChatDeps['whenReady']>[0]) => void;
  /** Whether the user has stopped the question. */
  readonly isStopped?: boolean;
}

const answered: TurnOutcome = { turn: 1, status: 'answered', items: [{ kind: 'user', text: 'q' }], answer: '42' };

/** Asks `@toolsearch` a question; `turns` counts the questions that reached a model. */
async function ask(
  {
    tools = [SUM],
    servers = [running],
    withheld = [],
    settings = {},
    pins = NO_PINS,
    references = [],
    runTurn,
    command,
    prompt = 'q',
    happened = [],
    chat,
    secrets = [],
    waits,
    isStopped = false,
  }: Asked = {},
  stream = new TestStream(),
) {
  const catalog: Catalog = {
    ...createCatalog(1, tools, servers),
    ...(withheld.length > 0 ? { withheld: new Map(withheld.map((tool) => [tool.invokeName, tool])) } : {}),
  };
  let turns = 0;
  let isReady = false;
  const ledger = new Ledger();
  for (const entries of happened) {
    const { record } = ledger.startTurn(() => 1);
    for (const entry of [entries].flat()) record(entry);
  }
  const chosen = { ...DEFAULT_SETTINGS, ...settings };
  const slash = {
    source: { catalog },
    ledger,
    settings: () => chosen,
    overview: () => describeNow({ ...planInputs(tools), catalog, settings: chosen, pins, model: undefined }),
  };
  const world = {
    slash,
    iconPath: 'icon',
    secrets: new KnownSecrets().with(secrets),
    whenReady: async (options: Parameters<ChatDeps['whenReady']>[0]) => {
      waits?.(options);
      await new Promise((resolve) => setImmediate(resolve));
      isReady = true;
      return catalog;
    },
    runTurn: async (...[turn, sink, signal]: Parameters<ChatDeps['runTurn']>) => {
      turns++;
      expect(isReady).toBe(true);
      if (runTurn) return runTurn(turn, sink, signal);
      sink.text('42');
      return answered;
    },
  } as Partial<{ [key in keyof ChatDeps]: unknown }> as ChatDeps;
  registerParticipant(world);
  const participant = host.participants.get('toolsearch.chat') as vscode.ChatParticipant;
  expect(participant.iconPath).toBe('icon');
  const toolReferences = references.map((name) => ({ name }));
  const toolInvocationToken = chat && { sessionResource: { scheme: 'vscode-chat-session', path: chat } };
  const request = {
    prompt,
    command,
    references: [],
    toolReferences,
    toolInvocationToken,
    model: {},
  } as unknown as vscode.ChatRequest;
  const token: vscode.CancellationToken = {
    isCancellationRequested: isStopped,
    onCancellationRequested: new EventEmitter<unknown>().event,
  };
  const result = await participant.requestHandler(request, { history: [] }, stream.asVscode, token);
  const followups = await participant.followupProvider?.provideFollowups(
    result as vscode.ChatResult,
    { history: [] },
    token,
  );
  return { stream, turns, result: result as vscode.ChatResult, followups: followups ?? [], ledger, participant };
}

it('a question reaches the model whole, and its servers are waited for', async () => {
  const asked: unknown[] = [];
  const runTurn: ChatDeps['runTurn'] = async ({ references, ...turn }) => {
    asked.push({ ...turn, references: [...references] });
    return { ...answered, items: [{ kind: 'user', text: 'my-secret-1' }] };
  };
  const stream = new TestStream();
  const more = { prompt: 'Use my-secret-1', chat: '/a', references: [SUM.invokeName, 'no'], secrets: ['my-secret-1'] };
  const waits = (options: { readonly onWait: (servers: readonly string[]) => void }) => {
    options.onWait([]);
    options.onWait(['a*', 'b']);
  };
  const { result } = await ask({ ...more, command: 'notools', runTurn, waits }, stream);
  const token = { sessionResource: { scheme: 'vscode-chat-session', path: '/a' } };
  expect(asked).toEqual([
    {
      ...{ prompt: 'Use [secret]', history: [], chat: expect.stringMatching(/./), references: ['math/sum'] },
      ...{ model: {}, toolInvocationToken: token, withoutTools: true },
    },
  ]);
  expect(stream.parts).toEqual(['progress: Waiting for a\\*, b']);
  expect(result).toEqual({
    metadata: { toolsearch: { version: 1, items: [{ kind: 'user', text: '[secret]' }], turn: 1 } },
  });
});

const told: ChatDeps['runTurn'] = async (turn, sink) => {
  const { mode, withoutTools } = turn;
  sink.warning('bm25 answered *instead*');
  sink.thinking?.('Let me *think*\nabout it');
  sink.thinking?.(' more');
  sink.searching(['x', '*y*']);
  sink.text(`42 ${JSON.stringify({ mode, withoutTools })}`);
  sink.thinking?.('z'.repeat(150));
  sink.found([SUM, BROWSER]);
  sink.warning('bm25 answered *instead*');
  sink.calling(SUM);
  sink.running?.('');
  sink.running?.('Add *up*');
  sink.waiting('Claude', 12);
  sink.text('It is 42.');
  return answered;
};
const failedWith =
  (message?: string, status: TurnOutcome['status'] = 'failed'): ChatDeps['runTurn'] =>
  async () => ({ ...answered, status, ...(message === undefined ? {} : { message }) });
const found = searched('fax', { matched: 1, hits: [{ id: 'math/sum', score: 1, matchType: 'words', terms: [] }] });
const only = { tools: [BROWSER], servers: [], settings: { scope: 'mcp' } } as const;
const FAILURES = {
  'failed with markup': 'No: ![x](https://a.example/x.png) <b> [here](command:quit). See https://b.example/k',
  'failed with two settings': 'toolsearch.anthropic.baseUrl must be https (toolsearch.allowInsecureBaseUrl allows it).',
  'failed with the models’ setting': 'Set toolsearch.mode, or toolsearch.models for this model.',
  'failed with no setting': 'toolsearch.modes and a.toolsearch.nothing.there',
  'failed with a key': 'OpenAI refused the key. Set another with “Tool Search: Manage API Keys”.',
};
/** Questions by what is special about them. */
const QUESTIONS: { readonly [name: string]: Asked } = {
  usual: { runTurn: told },
  eager: { command: 'eager', runTurn: told },
  deferred: { command: 'deferred', runTurn: told },
  'without tools': { command: 'notools', runTurn: told },
  empty: { prompt: ' ' },
  'empty with a command': { command: 'eager', prompt: ' ' },
  stopped: { isStopped: true },
  'a command': { command: 'tools', prompt: ' sum ' },
  'that found': { happened: [found] },
  'that found nothing': { happened: [searched('send a fax')] },
  'with a failed server': { servers: [{ ...running, state: 'failed' }] },
  'failed without a reason': { runTurn: failedWith() },
  cancelled: { runTurn: failedWith('No.', 'cancelled'), happened: [searched('x')] },
  'failed with a secret': {
    runTurn: failedWith('a-secret-1 is no *key*. Set toolsearch.mode.'),
    secrets: ['a-secret-1'],
  },
  ...Object.fromEntries(Object.entries(FAILURES).map(([what, words]) => [what, { runTurn: failedWith(words) }])),
  'without servers': only,
  'without servers, that names a tool': { ...only, references: ['browse'] },
  'without servers or tools': { ...only, command: 'notools' },
  'without servers, with tools of VS Code': { tools: [BROWSER], servers: [], settings: { mode: 'on' } },
  'with a chosen set that is gone': { pins: { ...NO_PINS, set: 'Web' } },
  'with servers to come': {
    tools: [],
    servers: [{ name: 'mail', state: 'failed', detail: 'It *ended*.', problems: [] }],
  },
};

it('each question is answered as its file says', async () => {
  const lines: string[] = [];
  for (const isTrusted of [true, false]) {
    host.isTrusted = isTrusted;
    const names = isTrusted ? Object.keys(QUESTIONS) : ['without servers', 'with servers to come'];
    for (const name of names) {
      const { stream, turns, result, followups } = await ask(QUESTIONS[name]);
      const buttons = stream.buttons.map(
        ({ command, title, arguments: given }) => ` ${JSON.stringify([title, command, given])}`,
      );
      const next = followups.map(({ command, prompt, label }) => ` next /${command} ${prompt} “${label}”`);
      lines.push(`${isTrusted ? '' : 'untrusted: '}${name}, asked ${turns}`, ...stream.parts.map((part) => ` ${part}`));
      lines.push(...buttons, ...next, ` result ${JSON.stringify(result)}`);
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('answers.txt');
});

it('an answer that our own error ended says what it has to', async () => {
  const stream = new TestStream();
  const runTurn: ChatDeps['runTurn'] = async (...args) => {
    await told(...args);
    throw new Error('Out of order.');
  };
  await expect(ask({ runTurn }, stream)).rejects.toThrow('Out of order.');
  expect(stream.inSight).toContain('markdown: > ⚠ bm25 answered \\*instead\\*');
});

describe('a secret in an answer', () => {
  const secrets = ['sk-known-123456'];
  const items: TurnOutcome['items'] = [
    { kind: 'user', text: 'q' },
    { kind: 'assistant', text: 'It is sk-known-123456.', calls: [] },
  ];

  it('is hidden however a gateway cuts it, also in history', async () => {
    const { stream, result } = await ask({
      secrets,
      runTurn: async (_, sink) => {
        for (const part of ['It is sk', '-kno', 'wn-123456', '. And sk']) sink.text(part);
        sink.progress(`math/sum: ${'x'.repeat(280)}sk-known-123456 ${'x'.repeat(100)}`);
        sink.text('-known');
        return { ...answered, items };
      },
    });
    expect(stream.parts.filter((part) => part.startsWith('markdown:'))).toEqual(
      ['It is', '[secret]. And', 'sk', '-known'].map((text) => `markdown: ${text}`),
    );
    expect(stream.parts.join('\n')).not.toMatch(/sk-known-1/);
    expect(JSON.stringify(result.metadata)).toContain('It is [secret].');
  });
});

it('a cancelled question goes on with its calls in the same chat', async () => {
  const histories: Transcript[] = [];
  const runTurn: ChatDeps['runTurn'] = async (turn) => {
    histories.push(turn.history);
    return answered;
  };
  let chat = '';
  await ask({
    chat: '/a',
    runTurn: async (turn) => {
      chat = turn.chat ?? '';
      return answered;
    },
  });
  const cancelled: LedgerEntry[] = [
    started({ chat }),
    called('math/sum'),
    { type: 'turnEnded', status: 'cancelled', ms: 1 },
  ];
  const kept: unknown[] = [];
  for (const where of ['/a', '/b']) {
    const { result } = await ask({ chat: where, runTurn, happened: [cancelled] });
    kept.push([histories.at(-1)?.length, keptItems(result.metadata)?.length]);
  }
  expect(kept).toEqual([
    [3, 4],
    [0, 1],
  ]);
});
