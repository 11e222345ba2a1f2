import { beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { type Catalog, createCatalog, type ServerInfo } from '../../../../src/core/catalog/catalog';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { Ledger, type LedgerEntry } from '../../../../src/core/ledger/ledger';
import { describeNow } from '../../../../src/core/planning/overview';
import { NO_PINS, type Pins } from '../../../../src/core/settings/pins';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import type { TurnOutcome } from '../../../../src/core/turn/turn';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
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
  }: Asked = {},
  stream = new TestStream(),
) {
  const catalog: Catalog = {
    ...createCatalog(1, tools, servers),
    ...(withheld.length > 0 ? { withheld: new Map(withheld.map((tool) => [tool.invokeName, tool])) } : {}),
  };
  let turns = 0;
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
    iconPath: undefined,
    secrets: new KnownSecrets().with(secrets),
    whenReady: async () => catalog,
    runTurn: async (...[turn, sink, signal]: Parameters<ChatDeps['runTurn']>) => {
      turns++;
      if (runTurn) return runTurn(turn, sink, signal);
      sink.text('42');
      return answered;
    },
  } as Partial<{ [key in keyof ChatDeps]: unknown }> as ChatDeps;
  registerParticipant(world);
  const participant = host.participants.get('toolsearch.chat') as vscode.ChatParticipant;
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
    isCancellationRequested: false,
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

describe('what comes after an answer', () => {
  const search = (found: boolean): LedgerEntry => ({
    ...searched('send a fax'),
    ...(found ? { matched: 1, hits: [{ id: 'math/sum', score: 1, matchType: 'words', terms: [] }] } : {}),
  });

  it('is what one may ask next, by how the turn went', async () => {
    const commands = (asked: Awaited<ReturnType<typeof ask>>) =>
      asked.followups.map(({ command, prompt }) => `/${command} ${prompt}`.trim());
    expect(commands(await ask({ happened: [search(true)] }))).toEqual(['/stats', '/tools']);
    expect(commands(await ask({ happened: [search(false)] }))).toEqual(['/find send a fax', '/stats', '/tools']);
    const failed = await ask({ servers: [{ ...running, state: 'failed' }] });
    expect(failed.followups.at(-1)?.label).toBe('Which server failed?');
  });

  it.each([
    [
      'http://a redirects to http://b. Set toolsearch.anthropic.baseUrl.',
      'workbench.action.openSettings @id:toolsearch.anthropic.baseUrl',
    ],
    [
      'toolsearch.anthropic.baseUrl must be https (toolsearch.allowInsecureBaseUrl allows that).',
      'workbench.action.openSettings @id:toolsearch.anthropic.baseUrl,toolsearch.allowInsecureBaseUrl',
    ],
    [
      '129 tools are eager. Set the mode to auto or on, in toolsearch.mode or for this model in toolsearch.models.',
      'workbench.action.openSettings @id:toolsearch.mode,toolsearch.models',
    ],
    ['toolsearch.modes and a.toolsearch.nothing.there', undefined],
    ['OpenAI refused the key. Set another with “Tool Search: Manage API Keys”.', 'toolsearch.manageKeys '],
  ])('is where the user mends what a failure names: %s', async (message, wanted) => {
    const runTurn: ChatDeps['runTurn'] = async () => ({ ...answered, status: 'failed', message });
    const { buttons } = (await ask({ runTurn })).stream;
    expect(buttons.map(({ command, arguments: given = [] }) => `${command} ${given.join(' ')}`)).toEqual(
      wanted ? [wanted] : [],
    );
  });
});

describe('one question in another mode', () => {
  it.each([
    ['eager', 'off'],
    ['deferred', 'on'],
    [undefined, undefined],
  ] as const)('is asked so with /%s', async (command, mode) => {
    const modes: (string | undefined)[] = [];
    const runTurn: ChatDeps['runTurn'] = async (turn) => {
      modes.push(turn.mode);
      return answered;
    };
    await ask({ runTurn, ...(command ? { command } : {}) });
    expect(modes).toEqual([mode]);
  });

  it('wants a question', async () => {
    const { stream, turns } = await ask({ command: 'eager', prompt: ' ' });
    expect(turns).toBe(0);
    expect(stream.inSight.join()).toContain('`/eager`');
  });
});

it('a wait that the service asked for is shown while it lasts', async () => {
  const stream = new TestStream();
  let shown: readonly string[] = [];
  const runTurn: ChatDeps['runTurn'] = async (_, sink) => {
    sink.waiting('Claude', 12);
    shown = [...stream.parts];
    return answered;
  };
  await ask({ runTurn }, stream);
  expect(shown).toEqual(['progress: Claude asks to wait 12 s']);
});

it('names actions in progress messages, which stay after a cancelled call', async () => {
  const runTurn: ChatDeps['runTurn'] = async (_, sink) => {
    sink.searching(['sum']);
    sink.calling(SUM);
    sink.running?.('Add up');
    return answered;
  };
  const { stream } = await ask({ runTurn });
  expect(stream.parts.filter((part) => part.startsWith('progress'))).toEqual([
    'progress: Search tools: “sum”',
    `progress: Call ${SUM.id}`,
    'progress: Run a script: Add up',
  ]);
});

describe('what an answer has to say besides', () => {
  const runTurn: ChatDeps['runTurn'] = async (_, sink) => {
    sink.warning('bm25 answered *instead*');
    sink.searching(['x']);
    sink.text('42');
    sink.warning('bm25 answered *instead*');
    sink.calling(SUM);
    sink.text('It is 42.');
    return answered;
  };

  it('is below the answer, unfolded, once, and as text', async () => {
    const { stream } = await ask({ runTurn });
    expect(stream.inSight).toEqual(['markdown: It is 42.', 'markdown: > ⚠ bm25 answered \\*instead\\*']);
    expect(stream.parts.filter((part) => part.includes('⚠'))).toHaveLength(1);
  });

  it('is said of a turn that failed too', async () => {
    const { stream, result } = await ask({
      runTurn: async (...args) => ({ ...(await runTurn(...args)), status: 'failed', message: 'No.' }),
    });
    expect(stream.inSight.join()).toContain('⚠');
    expect(result.errorDetails?.message).toBe('No.');
  });

  it('is said of a failed one as text, never as markup', async () => {
    const message = 'Refused: ![x](https://evil.example/x.png) <b> [here](command:quit). See https://example.com/keys';
    const { result } = await ask({
      runTurn: async (...args) => ({ ...(await runTurn(...args)), status: 'failed', message }),
    });
    expect(result.errorDetails?.message).toBe(
      'Refused: \\!\\[x\\](https://evil.example/x.png) \\<b\\> \\[here\\](command:quit). See https://example.com/keys',
    );
  });

  it('is said of one that an error of ours ended', async () => {
    const stream = new TestStream();
    const failing = ask(
      {
        runTurn: async (turn, sink, signal) => {
          await runTurn(turn, sink, signal);
          throw new Error('Out of order.');
        },
      },
      stream,
    );
    await expect(failing).rejects.toThrow('Out of order.');
    expect(stream.inSight.join()).toContain('⚠');
  });
});

describe('a question with nothing to search', () => {
  it('is answered in an untrusted workspace by what is missing', async () => {
    host.isTrusted = false;
    const { stream, turns, followups } = await ask({ tools: [], servers: [] });
    expect(turns).toBe(0);
    expect(stream.parts).toEqual([
      expect.stringMatching(/^markdown: > ⚠ This workspace isn’t trusted/),
      'button: workbench.trust.manage',
    ]);
    expect(followups).toEqual([]);
  });

  it('is answered so without servers too', async () => {
    const { stream, turns } = await ask({ tools: [BROWSER], servers: [], settings: { scope: 'mcp' } });
    expect(turns).toBe(0);
    expect(stream.inSight).toEqual([
      expect.stringMatching(/^markdown: > ⚠ There are no MCP servers/),
      'button: workbench.mcp.addConfiguration',
    ]);
  });

  it.each<[string, Asked]>([
    ['are found with mode on', { settings: { mode: 'on' } }],
    ['the prompt names', { references: ['browse'], settings: { scope: 'mcp' } }],
  ])('is asked with tools of VS Code that %s, with a note', async (_, asked) => {
    const { stream, turns } = await ask({ tools: [BROWSER], servers: [], ...asked });
    expect(turns).toBe(1);
    expect(stream.inSight[0]).toBe('markdown: 42');
    expect(stream.inSight.join()).toContain('There are no MCP servers');
  });

  it('names a chosen set that is gone, and offers others', async () => {
    const { stream } = await ask({ pins: { ...NO_PINS, set: 'Web' } });
    expect(stream.inSight).toEqual([
      'markdown: 42',
      expect.stringMatching(/^markdown: > ⚠ The chosen set “Web” isn’t in toolsearch\.sets/),
      'button: toolsearch.selectSet',
    ]);
  });

  it('is asked if servers may still come, and they are named below', async () => {
    const { stream, turns } = await ask({
      tools: [],
      servers: [{ name: 'mail', state: 'failed', detail: 'It ended.', problems: [] }],
    });
    expect(turns).toBe(1);
    expect(stream.inSight.join('\n')).toMatch(
      /42[\s\S]*No MCP server has listed a tool yet[\s\S]*mail \\\(failed\\\) It ended/,
    );
  });
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

describe('a question that was cancelled', () => {
  it('goes on with its calls in the same chat, not in another', async () => {
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
    for (const where of ['/a', '/b']) await ask({ chat: where, runTurn, happened: [cancelled] });
    expect(histories.map(({ length }) => length)).toEqual([3, 0]);
  });
});
