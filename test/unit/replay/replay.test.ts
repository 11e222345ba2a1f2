import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differences } from '../../replay/compare';
import { readRecording } from '../../replay/recording';
import { replay, replayFile } from '../../replay/replay';
import { readResponses, replayResponses } from '../../replay/responses';

const FIXTURES = join(import.meta.dirname, '../../fixtures/wire');
const SHARED = ['recordings', 'handoff', 'chunks', 'code/chunks', 'code/recordings'].map((folder) =>
  join(import.meta.dirname, '../../../../shared/wire', folder),
);
const recordings = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => /\.(json|txt)$/.test(file))
        .map((file) => join(folder, file))
    : [];
const shared = SHARED.flatMap(recordings);

describe('A replay', () => {
  it.each(recordings(FIXTURES))('sends what was recorded: %s', async (file) => {
    const replayed = await replayFile(file);
    expect(replayed.differences).toEqual([]);
    expect(replayed.matched).toBe(replayed.requests);
    expect(replayed.requests).toBeGreaterThan(3);
  });

  it.skipIf(shared.length === 0)('sends what was recorded with the real services', async () => {
    const files = await Promise.all(shared.map(replayFile));
    expect(files.flatMap((file) => file.differences)).toEqual([]);
    for (const { file, matched, requests } of files) expect({ file, matched }).toEqual({ file, matched: requests });
  });

  it('says what of a request it didn’t compare', async () => {
    const body = (type: string) => ({
      model: 'claude-sonnet-4-6',
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Read it.' },
            { type, file_id: 'file_1' },
          ],
        },
      ],
    });
    const response = {
      status: 200,
      body: { content: [{ type: 'text', text: 'Read.' }], stop_reason: 'end_turn', usage: {} },
    };
    const request = (type: string) => ({
      request: { url: 'https://api.anthropic.com/v1/messages', body: body(type) },
      response,
    });
    const upload = { request: { url: 'https://api.anthropic.com/v1/files', body: {} }, response };
    const replayed = await replay([upload, request('container_upload')] as unknown as Parameters<typeof replay>[0]);
    expect(replayed).toMatchObject({
      requests: 1,
      matched: 1,
      ignored: ['1 uploads of files', 'request 1: a file for the container (container_upload file_1)'],
    });
    expect((await replay([request('novelty')] as unknown as Parameters<typeof replay>[0])).matched).toBe(0);
  });

  it('compares tools that join and system messages in mid-conversation', async () => {
    const tool = { name: 'a', input_schema: { type: 'object' }, description: 'A', defer_loading: true };
    const response = {
      status: 200,
      body: { type: 'message', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn', usage: {} },
    };
    const claude = (messages: object[]) => ({
      request: {
        url: 'https://api.anthropic.com/v1/messages',
        body: {
          model: 'claude-opus-4-8',
          max_tokens: 100,
          messages,
          tools: [tool, { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }],
        },
      },
      response,
    });
    const said = { role: 'user', content: [{ type: 'text', text: 'One.' }] };
    const added = { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'a' } }] };
    const words = { role: 'system', content: [{ type: 'text', text: 'Two.' }] };
    const ask = (interaction: object) => replay([interaction] as unknown as Parameters<typeof replay>[0]);
    expect(await ask(claude([said, added]))).toEqual({ requests: 1, matched: 1, differences: [] });
    expect(await ask(claude([said, words]))).toEqual({ requests: 1, matched: 1, differences: [] });
    const FUNCTION = { type: 'function', name: 'a', parameters: { type: 'object', properties: {} } };
    const gpt = (role: string) => ({
      request: {
        url: 'https://api.openai.com/v1/responses',
        body: {
          model: 'gpt-5',
          input: [
            { role: 'user', content: 'One.' },
            { type: 'additional_tools', role: 'developer', tools: [FUNCTION] },
            { role, content: 'Two.' },
          ],
        },
      },
      response: { status: 200, body: { object: 'response', status: 'completed', output: [] } },
    });
    expect(await ask(gpt('user'))).toMatchObject({
      matched: 1,
      differences: [],
    });
    expect(await ask(gpt('developer'))).toMatchObject({ matched: 0 });
  });

  it('sends back blocks of a kind that it doesn’t know', async () => {
    const interactions = readRecording(join(FIXTURES, 'anthropic.json')).slice(0, 1);
    expect(interactions.map(({ response }) => typeof response.body)).toEqual(['string']);
    const novel = interactions.map(({ request, response }) => ({
      request,
      response: { ...response, body: String(response.body).replace('"type": "thinking"', '"type": "novelty"') },
    }));
    expect((await replay(interactions)).differences).toEqual([]);
    expect((await replay(novel)).differences).toEqual([]);
  });

  it('reads lone responses to their end, and says which isn’t replayed', async () => {
    const responses = readResponses(join(FIXTURES, '../responses/anthropicCode.chunks.txt'));
    if (!responses) throw new Error('no responses');
    expect(await replayResponses(responses)).toEqual({ requests: 3, matched: 3, differences: [] });
    const [first, second, third] = responses.responses;
    if (!first || !second || !third) throw new Error('too few');
    const cut = { ...second, body: String(second.body).replaceAll('message_stop', 'novel') };
    expect((await replayResponses({ ...responses, responses: [first, cut, third] })).differences.join()).toMatch(
      /response 2: .*ended before/,
    );
    const stray = { ...second, body: String(second.body).replace('srvtoolu_1', 'srvtoolu_9') };
    expect((await replayResponses({ ...responses, responses: [first, stray, third] })).differences.join()).toMatch(
      /response 2: played back: \[0\]\.type/,
    );
  });

  it('says where a request differs from the recorded one', async () => {
    const [first] = readRecording(join(FIXTURES, 'anthropic.json'));
    if (!first) throw new Error('no interaction');
    const { body } = first.request;
    // A model that the adapter never sends, and a breakpoint that the comparison ignores.
    const changed = {
      ...first,
      request: {
        ...first.request,
        body: { ...body, tools: [...(body.tools as never[]), { type: 'web_search_20250305', name: 'web_search' }] },
      },
    };
    const replayed = await replay([changed]);
    expect(replayed).toMatchObject({ requests: 1, matched: 0 });
    expect(replayed.differences.join()).toMatch(/request 1: tools\.web_search/);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    [
      'a namespace',
      (text) => text.replaceAll('"namespace":"math"', '"namespace":"other"'),
      /request 2: input\[4\]\.namespace: recorded "other", sent "math"/,
    ],
    [
      'an item',
      (text) => text.replaceAll('"encrypted_content":"', '"encrypted_content":"x'),
      /request 2: input\[1\]\.reasoning/,
    ],
    ['a demand', (text) => text.replace('"mode":"required"', '"mode":"auto"'), /request 8: choice\.mode/],
  ])('sees %s that isn’t what was recorded', async (_, change, difference) => {
    const interactions = readRecording(join(FIXTURES, 'openai.json')).map(({ request, response }) => ({
      request: { ...request, body: JSON.parse(change(JSON.stringify(request.body))) },
      response,
    }));
    expect((await replay(interactions)).differences.join('\n')).toMatch(difference);
  });

  it('names what it can’t read', async () => {
    expect(await replayFile('/nowhere.json')).toMatchObject({
      requests: 0,
      differences: [expect.stringMatching(/\/nowhere\.json can't be read/)],
    });
    expect(
      (
        await replay([
          {
            request: { method: 'POST', url: 'https://else.where/v9', body: {} },
            response: { status: 200, contentType: '', body: null },
          },
        ])
      ).differences,
    ).toEqual(['request 1: no adapter for https://else.where/v9']);
  });

  it('compares without regard to the order of keys', () => {
    expect(differences({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toEqual([]);
    expect(differences({ a: [1] }, { a: [1, 2] })).toEqual(['a[1]: recorded nothing, sent 2']);
  });
});
