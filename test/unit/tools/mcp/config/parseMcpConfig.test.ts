import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMcpConfig, placeOfServer } from '../../../../../src/tools/mcp/config/parseMcpConfig';
import { holds } from '../../../property';

const names = (text: string) => [...parseMcpConfig(text).definitions.keys()];

describe('parseMcpConfig', () => {
  it('reads servers, comments and trailing commas included', () => {
    const { definitions, problems } = parseMcpConfig(`{
      // what we use
      "servers": {
        "files": { "command": "npx", "args": ["-y", "x"], },
        "GitHub": { "type": "http", "url": "https://example.com", "alwaysLoad": true },
      },
    }`);
    expect(problems).toEqual([]);
    expect(Object.fromEntries(definitions)).toEqual({
      files: { command: 'npx', args: ['-y', 'x'] },
      GitHub: { type: 'http', url: 'https://example.com', alwaysLoad: true },
    });
  });

  it('leaves out a server with an endless name', () => {
    const text = JSON.stringify({
      servers: { a: { command: 'x' }, ['b'.repeat(201)]: {}, ['c'.repeat(200)]: { url: 'u' } },
    });
    expect(names(text)).toEqual(['a', 'c'.repeat(200)]);
    expect(parseMcpConfig(text).problems.map(({ message }) => message)).toEqual([
      'A server whose name has more than 200 characters is left out.',
    ]);
  });

  it('says so if a file nests too deeply', () => {
    const deep = `{"servers": {"a": {"command": "x", "args": ${'['.repeat(20_000)}${']'.repeat(20_000)}}}}`;
    expect(parseMcpConfig(deep)).toMatchObject({ definitions: new Map(), problems: [{ severity: 'error', line: 1 }] });
    expect(parseMcpConfig(deep).problems[0]?.message).toContain('nests too deeply');
  });

  it('uses what parses of a broken file, and names the line', () => {
    const text = '{\n  "servers": {\n    "a": {"command": "x"}\n    "b": {"command": "y"}\n  }\n}';
    const { problems } = parseMcpConfig(text);
    expect(names(text)).toContain('a');
    expect(problems[0]).toMatchObject({ severity: 'error', line: 4 });
    expect(problems[0]?.message).toContain('comma expected');
  });

  it('reports 50 problems of a file, and uses 500 servers', () => {
    const servers = (count: number, entry: unknown) =>
      JSON.stringify({ servers: Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, entry])) });
    expect(parseMcpConfig(servers(60, 1)).problems).toHaveLength(50);
    const { definitions, problems } = parseMcpConfig(servers(502, { command: 'x' }));
    expect([definitions.size, problems.map(({ message }) => message)]).toEqual([
      500,
      ['Only the first 500 servers of this file are used.'],
    ]);
  });

  it('uses everything before an end that came too early', () => {
    expect(names('{"servers": {"a": {"command": "x"}, "b": {"comm')).toContain('a');
  });

  it('is silent about an empty file', () => {
    expect(parseMcpConfig(' \n')).toMatchObject({ definitions: new Map(), problems: [] });
  });

  it('leaves out non-object servers, and warns of those without a start', () => {
    const { definitions, problems } = parseMcpConfig('{"servers": {"a": "npx a", "b": {}, "c": {"command": "x"}}}');
    expect([...definitions.keys()]).toEqual(['b', 'c']);
    expect(problems.map((problem) => problem.severity)).toEqual(['error', 'warning']);
  });

  it('warns of a name that appears twice; the last counts', () => {
    const { definitions, problems } = parseMcpConfig('{"servers": {"a": {"command": "x"}, "a": {"url": "https://x"}}}');
    expect(definitions).toEqual(new Map([['a', { url: 'https://x' }]]));
    expect(problems).toHaveLength(1);
  });

  it('points out the key that other products use', () => {
    expect(parseMcpConfig('{"mcpServers": {"a": {"command": "x"}}}').problems[0]?.message).toContain(
      'not "mcpServers"',
    );
  });

  it.each(['[]', '3', '"x"', '{"servers": []}', '{"servers": 1}'])('reports %s', (text) => {
    expect(names(text)).toEqual([]);
    expect(parseMcpConfig(text).problems).toHaveLength(1);
  });

  it('never throws, and places every problem inside the text', () => {
    const whole = '{"servers": {"a": {"command": "x", "alwaysLoad": true}, "b": {"url": "y"}}}';
    holds(
      fc.property(fc.nat(whole.length), fc.nat(10), fc.string({ maxLength: 4 }), (at, cut, added) => {
        const text = whole.slice(0, at) + added + whole.slice(at + cut);
        for (const problem of parseMcpConfig(text).problems) {
          expect(problem.offset).toBeGreaterThanOrEqual(0);
          expect(problem.offset + problem.length).toBeLessThanOrEqual(text.length + 1);
        }
      }),
    );
  });
});

describe('placeOfServer', () => {
  it('is where the entry’s name begins, not in comments', () => {
    const text =
      '{\n  // "files"\n  "inputs": [{ "id": "files" }],\n  "servers": { "a": {}, "files": { "command": "x" } }\n}';
    expect(text.slice(placeOfServer(text, 'files'))).toMatch(/^"files": \{ "command"/);
  });

  it.each(['', '[]', '{"servers": {}}', '{"servers": 7}', '{'])('is the beginning if there is none: %j', (text) => {
    expect(placeOfServer(text, 'files')).toBe(0);
  });
});
