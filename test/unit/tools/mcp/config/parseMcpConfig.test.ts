import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseMcpConfig, placeOfServer } from '../../../../../src/tools/mcp/config/parseMcpConfig';
import { holds } from '../../../property';

const servers = (count: number, entry: unknown) =>
  JSON.stringify({ servers: Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, entry])) });
const TEXTS = [
  '{\n// ours\n"servers": {"a": {"command": "npx", "args": ["-y"],},\n"B": {"url": "u", "alwaysLoad": true},},\n}',
  JSON.stringify({ servers: { a: { command: 'x' }, ['b'.repeat(201)]: {}, ['c'.repeat(200)]: { url: 'u' } } }),
  `{"servers": {"a": {"command": "x", "args": ${'['.repeat(20_000)}${']'.repeat(20_000)}}}}`,
  '{\n  "servers": {\n    "a": {"command": "x"}\n    "b": {"command": "y"}\n  }\n}',
  ...[servers(60, 1), servers(502, { command: 'x' }), '{"servers": {"a": {"command": "x"}, "b": {"comm', ' \n', '{}'],
  '{"servers": {"a": "npx a", "b": {}, "c": {"command": "x"}}, "inputs": [{"id": "k"}]}',
  ...['{"servers": {"a": {"command": "x"}, "a": {"url": "https://x"}}}', '{"mcpServers": {"a": {"command": "x"}}}'],
  ...['[]', '3', '"x"', '{"servers": []}', '{"servers": 1}', '{"servers": {}, "inputs": 1}', '{"servers": {"": {}}}'],
];

it('parseMcpConfig reads a file as its list says', async () => {
  const short = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}… ${text.length}` : text);
  const told = TEXTS.flatMap((text) => {
    const { definitions, problems, ...rest } = parseMcpConfig(text);
    const lines = [
      JSON.stringify(text),
      `${definitions.size} ${JSON.stringify([...definitions])}`,
      JSON.stringify(rest),
    ];
    return [...lines, `${problems.length} problems`, ...problems.slice(0, 3).map((each) => JSON.stringify(each))].map(
      short,
    );
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('files.txt');
});

it('parseMcpConfig never throws, and places every problem inside the text', () => {
  const whole = '{"servers": {"a": {"command": "x", "alwaysLoad": true}, "b": {"url": "y"}}}';
  holds([fc.nat(whole.length), fc.nat(10), fc.string({ maxLength: 4 })], (at, cut, added) => {
    const text = whole.slice(0, at) + added + whole.slice(at + cut);
    for (const problem of parseMcpConfig(text).problems) {
      expect(problem.offset).toBeGreaterThanOrEqual(0);
      expect(problem.offset + problem.length).toBeLessThanOrEqual(text.length + 1);
    }
  });
});

it('placeOfServer is where the entry’s name begins, not in comments', () => {
  const text =
    '{\n  // "files"\n  "inputs": [{ "id": "files" }],\n  "servers": { "a": {}, "files": { "command": "x" }, },\n}';
  expect(text.slice(placeOfServer(text, 'files'))).toMatch(/^"files": \{ "command"/);
});

it.each(['', '[]', '{"servers": {}}', '{"servers": 7}', '{'])(
  'placeOfServer is the beginning if there is none: %j',
  (text) => expect(placeOfServer(text, 'files')).toBe(0),
);
