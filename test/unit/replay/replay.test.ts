import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Interaction, readRecording } from '../../replay/recording';
import { replay, replayFile } from '../../replay/replay';

const FIXTURES = join(import.meta.dirname, '../../fixtures/wire');
const SHARED = ['recordings', 'handoff', 'code/recordings'].map((folder) =>
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
    expect(replayed.requests).toBeGreaterThan(2);
  });

  it.skipIf(shared.length === 0)('sends what was recorded with the real services', async () => {
    const files = await Promise.all(shared.map(replayFile));
    expect(files.flatMap((file) => file.differences)).toEqual([]);
    for (const { file, matched, requests } of files) expect({ file, matched }).toEqual({ file, matched: requests });
  });

  it('names the uploads that it doesn’t compare, and other blocks as different', async () => {
    const [first] = readRecording(join(FIXTURES, 'joiningTools.json'));
    const url = String(first?.request.url);
    const asked = (block: object) => {
      const body = {
        ...first?.request.body,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, block] }],
      };
      return { ...first, request: { url, body } } as unknown as Interaction;
    };
    const upload = { ...first, request: { url: url.replace('messages', 'files'), body: {} } } as Interaction;
    expect(await replay([upload, asked({ type: 'container_upload', file_id: 'f' })])).toMatchObject({
      requests: 1,
      matched: 1,
      ignored: ['1 uploads of files', 'request 1: a file for the container (container_upload f)'],
    });
    expect(await replay([asked({ type: 'novelty' })])).toMatchObject({ matched: 0 });
  });

  it.each<[string, string, (text: string) => string, RegExp]>([
    [
      'a tool',
      'anthropic',
      (text) => text.replaceAll('tide_table', 'tides'),
      /request 3: messages\[1\]\.content\[5\]\.name: recorded "tides", sent "tide_table"/,
    ],
    [
      'an item',
      'openai',
      (text) => text.replaceAll('"encrypted_content":"', '"encrypted_content":"x'),
      /request 2: input\[1\]\.reasoning/,
    ],
    ['a demand', 'openai', (text) => text.replace('"mode":"required"', '"mode":"auto"'), /request 8: choice\.mode/],
  ])('sees %s that isn’t what was recorded', async (_, file, change, difference) => {
    const interactions = readRecording(join(FIXTURES, `${file}.json`)).map(({ request, response }) => ({
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
    const request = { method: 'POST', url: 'https://else.where/v9', body: {} };
    const { differences } = await replay([{ request, response: { status: 200, contentType: '', body: null } }]);
    expect(differences).toEqual(['request 1: no adapter for https://else.where/v9']);
  });
});
