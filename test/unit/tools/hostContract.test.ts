import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../../src/core/catalog/tool';
import type { ToolRun } from '../../../src/core/ports';
import { invokeInVscode } from '../../../src/tools/vscode/invokeTool';
import { PDF, PIXEL, RESULTS } from '../../fixtures/results.mjs';
import { CancellationError } from '../shim/basics';
import { host, resetHost } from '../shim/host';
import { LanguageModelDataPart, LanguageModelTextPart } from '../shim/parts';
import { TestWorld } from './mcp/world';
import { AUTHORITY, playRecordedResults } from './vscode/vscodeAnswers';

const SERVER = path.resolve(import.meta.dirname, '../../fixtures/resultServer.mjs');
const token = {} as never;
let world: TestWorld;
beforeAll(async () => {
  world = new TestWorld();
  await world.start(world.server('results', { command: process.execPath, args: [SERVER] }));
});
beforeEach(() => {
  resetHost();
  playRecordedResults();
});
afterAll(() => world.source.dispose());

/** Both ways to run servers, each with a function that calls a server's tool and returns the result. */
const HOSTS: { readonly [host: string]: (name: string) => Promise<ToolRun> } = {
  'our own client': (name) => world.source.run(toolOf(name), {}, { signal: signal(), onProgress: () => {} }),
  "VS Code's host": (name) => invokeInVscode(passed({ ...toolOf(name), invokeName: name }), token),
};
const signal = () => new AbortController().signal;
/** A call that has passed its gates. */
const passed = (tool: Tool, input = {}, until = signal()) => ({ tool, input, signal: until, refusal: () => undefined });
const toolOf = (name: string): Tool => world.tool(`results/${name}`);

const text = (value: string) => ({ type: 'text', text: value });

it.each([
  ['its own error', new CancellationError()],
  ['an error of that name', Object.assign(new Error('Stopped'), { name: 'Canceled' })],
])('VS Code cancels a call that was declined or cut off: %s', async (_, error) => {
  const tool = { ...toolOf('plain'), invokeName: 'plain' };
  let asked = 0;
  host.invokeTool = () => {
    asked++;
    return Promise.reject(error);
  };
  const outcome = async (of: typeof token | undefined, until = signal()) =>
    (await invokeInVscode(passed(tool, {}, until), of)).outcome;
  expect([await outcome(token), await outcome(undefined)]).toEqual(['failed', 'refused']);
  expect([await outcome(token, AbortSignal.abort()), asked]).toEqual(['cancelled', 2]);
});
const ok = (...parts: unknown[]) => ({ outcome: 'ok', parts });
const unanswered = (value: string) => ({ outcome: 'failed', parts: [text(value)] });
const failed = (value: string) => ({ ...unanswered(value), answered: true });
const structured = { answer: 42 };
const image = { type: 'image', mimeType: 'image/png', bytes: 70, data: PIXEL };

/** Results that models get in both ways. */
const SAME: { readonly [tool: string]: unknown } = {
  plain: ok(text('All is well.')),
  several: ok(text('Error: none today'), text('two')),
  empty: ok(),
  structured: { ...ok(text('{"answer":42}')), structured },
  structured_alone: { ...ok(text('{"answer":42}')), structured },
  picture: ok(image),
  not_a_picture: ok({ type: 'omitted', mimeType: 'image/png', bytes: 3 }),
  sound: ok({ type: 'omitted', mimeType: 'audio/wav', bytes: 3 }),
  embedded_text: ok(text('what stands in it')),
  embedded_pdf: ok({ type: 'document', mimeType: 'application/pdf', bytes: 15, data: PDF }),
  embedded_picture: ok(image),
  embedded_zip: ok({ type: 'omitted', mimeType: 'application/zip', bytes: 3 }),
  for_the_user: ok(text('Seen by both.')),
  for_the_model: ok(text('{"not":"structured"}'), text('more')),
  refused_error: failed('Error: no such file'),
  refused_typescript: failed(
    'MCP error -32602: Input validation error: Invalid arguments for tool refused_typescript: []',
  ),
  refused_python: failed('Error executing tool refused_python: division by zero'),
  refused_fastmcp: failed("Error calling tool 'refused_fastmcp'"),
  refused_csharp: failed("An error occurred invoking 'refused_csharp'."),
  protocol_error: unanswered('results_protocol_error failed: There is no such thing.'),
  server_error: unanswered('results_server_error failed: The database is down.'),
};

/** Results that necessarily differ, with the reasons. */
const DIFFERENT: {
  readonly [tool: string]: { readonly why: string; readonly own: unknown; readonly vscode: unknown };
} = {
  refused: {
    why: "VS Code hands a result over without its isError, and this server's words say nothing",
    own: failed('It was refused.'),
    vscode: ok(text('It was refused.')),
  },
  refused_structured: {
    why: 'VS Code hands a result over without its isError',
    own: { ...failed('{"code":7}'), structured: { code: 7 } },
    vscode: { ...ok(text('{"code":7}')), structured: { code: 7 } },
  },
  structured_retold: {
    why: 'VS Code leaves out all texts of a result that has structured content',
    own: { ...ok(text('It is 42.'), text('{"answer":42}')), structured },
    vscode: { ...ok(text('{"answer":42}')), structured },
  },
  linked: {
    why: 'VS Code leaves out the name, and reads the resource under an address of its own',
    own: {
      ...ok(text('[Resource: file:///notes.md, text/markdown, notes]')),
      links: [{ uri: 'file:///notes.md', address: 'file:///notes.md' }],
    },
    vscode: {
      ...ok(text('[Resource: file:///notes.md, text/markdown]')),
      links: [{ uri: 'file:///notes.md', address: `mcp-resource://${AUTHORITY}/file/dylo78gyp/notes.md` }],
    },
  },
};

describe.each(Object.keys(HOSTS))('through %s', (hostName) => {
  it.each(Object.keys(SAME))('a result that is %s reaches the model', async (name) => {
    expect(await HOSTS[hostName]?.(name)).toEqual(SAME[name]);
  });

  it.each(Object.entries(DIFFERENT))(
    'a result that is %s reaches the model in another form',
    async (name, { own, vscode }) => {
      expect(await HOSTS[hostName]?.(name)).toEqual(hostName === 'our own client' ? own : vscode);
    },
  );
});

it('a resource that a result links to is read through VS Code', async () => {
  const uri = 'mcp-resource:///file/dylo78gyp/notes.md';
  host.files.set(uri, new TextEncoder().encode('what stands in it'));
  const reader: Tool = { ...toolOf('linked'), item: { kind: 'linked', address: '' } };
  const read = (input: { readonly uri: string }) => invokeInVscode(passed(reader, input), token);
  expect(await read({ uri })).toEqual(ok(text('what stands in it')));
  host.files.set(uri, Buffer.from(PIXEL, 'base64'));
  expect(await read({ uri })).toEqual(ok(image));
  expect(await read({ uri: 'mcp-resource:///file/dylo78gyp/gone.md' })).toMatchObject({ outcome: 'failed' });
});

it('VS Code’s JSON text stays one if too deep or not last', async () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  host.invokeTool = async () => ({ content: [new LanguageModelTextPart(deep)] });
  expect(await HOSTS["VS Code's host"]?.('structured')).toEqual(ok(text(deep)));
  const picture = new LanguageModelDataPart(Buffer.from(PIXEL, 'base64'), 'image/png');
  host.invokeTool = async () => ({ content: [new LanguageModelTextPart('{}'), picture] });
  expect(await HOSTS["VS Code's host"]?.('structured')).toEqual(ok(text('{}'), image));
});

describe('a link to a resource, as VS Code writes it', () => {
  const link = async (id: string, path = '/file/dylo78gyp/notes.md') => {
    const authority = Buffer.from(id).toString('hex');
    const uri = { scheme: 'mcp-resource', authority, path };
    const data = new TextEncoder().encode(JSON.stringify({ uri }));
    host.invokeTool = async () => ({
      content: [new LanguageModelDataPart(data, 'application/vnd.code.resource-link')],
    });
    return HOSTS["VS Code's host"]?.('linked');
  };

  it.each(['mcp.config.ws0.bank', 'mcp.config.usrlocal.myresults', '', 'publisher.extension/bank'])(
    'isn’t read if a server forged it for the server %j',
    async (id) => expect(await link(id)).not.toHaveProperty('links'),
  );

  it.each([
    ['mcp.config.usrlocal.Results', '/file/dylo78gyp/notes.md', 'file:///notes.md'],
    ['publisher.extension/results', '/docs/a.example/notes.md', 'docs://a.example/notes.md'],
  ])('is read if it is of the same server, %j: %s', async (id, path, uri) =>
    expect(await link(id, path)).toMatchObject({ links: [{ uri }] }),
  );
});

it('every kind of result is promised something', () => {
  expect(Object.keys({ ...SAME, ...DIFFERENT }).sort()).toEqual(Object.keys(RESULTS).sort());
});
