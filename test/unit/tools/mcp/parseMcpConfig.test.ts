import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMcpConfig, placeOfServer } from '../../../../src/tools/mcp/parseMcpConfig';

const parse = (text: string) => parseMcpConfig(text, 'file:///w/.vscode/mcp.json');
const names = (text: string) => parse(text).servers.map((server) => server.name);

describe('parseMcpConfig', () => {
  it('reads servers, comments and trailing commas included', () => {
    const { servers, problems } = parse(`{
      // what we use
      "servers": {
        "files": { "command": "npx", "args": ["-y", "x"], },
        "GitHub": { "type": "http", "url": "https://example.com", "alwaysLoad": true },
      },
    }`);
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      { name: 'files', type: 'stdio', alwaysLoad: false, source: 'file:///w/.vscode/mcp.json' },
      { name: 'GitHub', type: 'http', alwaysLoad: true, source: 'file:///w/.vscode/mcp.json' },
    ]);
  });

  it('says so if a file nests too deeply', () => {
    const deep = `{"servers": {"a": {"command": "x", "args": ${'['.repeat(20_000)}${']'.repeat(20_000)}}}}`;
    expect(parse(deep)).toMatchObject({ servers: [], problems: [{ severity: 'error', line: 1 }] });
    expect(parse(deep).problems[0]?.message).toContain('nests too deeply');
  });

  it('keeps no command, address or secret', () => {
    const { servers } = parse(
      '{"servers": {"a": {"command": "run", "env": {"TOKEN": "s3cret"}, "url": "https://u:p@h"}}}',
    );
    expect(JSON.stringify(servers)).not.toMatch(/s3cret|u:p|run/);
  });

  it('uses what parses of a broken file, and names the line', () => {
    const { servers, problems } = parse(
      '{\n  "servers": {\n    "a": {"command": "x"}\n    "b": {"command": "y"}\n  }\n}',
    );
    expect(servers.map((server) => server.name)).toContain('a');
    expect(problems[0]).toMatchObject({ severity: 'error', line: 4 });
    expect(problems[0]?.message).toContain('comma expected');
  });

  it('uses what stands before an end that came too early', () => {
    expect(names('{"servers": {"a": {"command": "x"}, "b": {"comm')).toContain('a');
  });

  it('is silent about an empty file', () => {
    expect(parse(' \n')).toMatchObject({ servers: [], problems: [] });
  });

  it('leaves out non-object servers, and warns of those without a start', () => {
    const { servers, problems } = parse('{"servers": {"a": "npx a", "b": {}, "c": {"command": "x"}}}');
    expect(servers.map((server) => server.name)).toEqual(['b', 'c']);
    expect(problems.map((problem) => problem.severity)).toEqual(['error', 'warning']);
  });

  it('warns of a name that stands there twice; the last counts', () => {
    const { servers, problems } = parse('{"servers": {"a": {"command": "x"}, "a": {"url": "https://x"}}}');
    expect(servers).toMatchObject([{ name: 'a', type: 'http' }]);
    expect(problems).toHaveLength(1);
  });

  it('points out the key that other products use', () => {
    expect(parse('{"mcpServers": {"a": {"command": "x"}}}').problems[0]?.message).toContain('not "mcpServers"');
  });

  it.each(['[]', '3', '"x"', '{"servers": []}', '{"servers": 1}'])('reports %s', (text) => {
    expect(parse(text).servers).toEqual([]);
    expect(parse(text).problems).toHaveLength(1);
  });

  it('never throws, and places every problem inside the text', () => {
    const whole = '{"servers": {"a": {"command": "x", "alwaysLoad": true}, "b": {"url": "y"}}}';
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(10), fc.string({ maxLength: 4 }), (at, cut, added) => {
        const text = whole.slice(0, at) + added + whole.slice(at + cut);
        for (const problem of parse(text).problems) {
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

  it.each(['', '[]', '{"servers": {}}', '{"servers": 7}', '{'])('is the beginning where there is none: %j', (text) => {
    expect(placeOfServer(text, 'files')).toBe(0);
  });
});
