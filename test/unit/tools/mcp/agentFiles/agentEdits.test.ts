import { describe, expect, it } from 'vitest';
import { withEntry, withoutEntry } from '../../../../../src/tools/mcp/agentFiles/agentEdits';
import { AGENT_FILES, type AgentFile } from '../../../../../src/tools/mcp/agentFiles/agentFileTable';

const row = (agent: string): AgentFile => {
  const found = AGENT_FILES.find((each) => each.agent === agent);
  if (!found) throw new Error(`There is no row for ${agent}.`);
  return found;
};
const URL = 'http://127.0.0.1:4321/mcp';
const TOKEN = 'Bearer abc';
const added = (agent: string, text: string) => withEntry(row(agent), text, row(agent).entry?.(URL, TOKEN) ?? {});

const CODEX = `# Mine.
model = "gpt-5"   # the best

[mcp_servers.files]
command = "npx" # quick
args = ["-y", "files"]

[mcp_servers.files.env]
TOKEN = "t"

[profiles.work]
model = "x"`;

const CURSOR = `{
\t// Mine.
\t"mcpServers": {
\t\t"files": { "command": "npx" }, // quick
\t\t"web": { "url": "https://w" },
\t},
\t"other": [1,2,  3],
}
`;

describe('withEntry', () => {
  it('adds one table to Codex’s file, and touches nothing besides', () => {
    expect(added('codex', CODEX)).toBe(
      `${CODEX}\n\n[mcp_servers.tool-search]\nurl = "${URL}"\nhttp_headers = { Authorization = "${TOKEN}" }\n`,
    );
    expect(added('codex', '')).toMatch(/^\[mcp_servers\.tool-search\]\n/);
  });

  it('adds one property to a JSON file with comments and tabs', () => {
    const entry = `\t\t"tool-search": {\n\t\t\t"url": "${URL}",\n\t\t\t"headers": {\n\t\t\t\t"Authorization": "${TOKEN}"\n\t\t\t}\n\t\t},\n`;
    expect(added('cursor', CURSOR)).toBe(CURSOR.replace('"mcpServers": {\n', `"mcpServers": {\n${entry}`));
    const url = `{ "url": "${URL}", "headers": { "Authorization": "${TOKEN}" } }`;
    const one = `"tool-search": ${JSON.stringify(JSON.parse(url))}`;
    expect(added('cursor', '{"mcpServers":{"a":{}}}')).toBe(`{"mcpServers":{${one}, "a":{}}}`);
    expect(JSON.parse(added('cursor', '{\n  "mcpServers": {}\n}\n'))).toEqual(JSON.parse(`{"mcpServers": {${one}}}`));
    expect(added('cursor', '{ /* none */ }')).toContain('/* none */');
  });

  it.each(AGENT_FILES.filter(({ entry }) => entry))('makes a whole file for $title', ({ agent, format }) => {
    const text = added(agent, '');
    expect(text.endsWith('\n')).toBe(true);
    if (format === 'json') expect(JSON.parse(text).mcpServers['tool-search']).toBeDefined();
    expect(added(agent, text)).toBe(text);
  });

  it.each([
    ['copilot', '{"mcpServers":{}}'],
    ['claudeCode', `${JSON.stringify({ numStartups: 3, mcpServers: {}, projects: { '/x': { history: ['ä'] } } })}\n`],
    ['codex', CODEX],
    ['cursor', CURSOR],
    ['windsurf', '\uFEFF{\n    "mcpServers": {\n    }\n}\n'],
  ])('adds bytes in one place of %s’s file', (agent, text) => {
    const [old, now] = [Buffer.from(text), Buffer.from(added(agent, text))];
    const differs = old.findIndex((byte, at) => byte !== now[at]);
    const same = differs < 0 ? old.length : differs;
    expect(now.length).toBeGreaterThan(old.length);
    expect(now.subarray(same + now.length - old.length)).toEqual(old.subarray(same));
  });

  it('replaces an earlier entry in its place', () => {
    const old = `[mcp_servers."tool-search"]\nurl = "http://127.0.0.1:1/mcp"\n[mcp_servers."tool-search".http_headers]\nA = "b"\n\n[x]\ny = 1\n`;
    expect(added('codex', old)).toBe(
      `[mcp_servers.tool-search]\nurl = "${URL}"\nhttp_headers = { Authorization = "${TOKEN}" }\n\n[x]\ny = 1\n`,
    );
    const twice = added('cursor', added('cursor', CURSOR).replace('4321', '1'));
    expect(twice).toBe(added('cursor', CURSOR));
  });

  it.each([
    ['codex', 'mcp_servers = { files = { command = "x" } }\n'],
    ['codex', '[mcp_servers.a\n'],
    ['cursor', '{"mcpServers": {"a": {}'],
    ['cursor', '[]'],
    ['cursor', '{"mcpServers": {}, "mcpServers": {"a": {}}}'],
  ])('refuses a file of %s that it can’t change safely: %j', (agent, text) => {
    expect(() => added(agent, text)).toThrow(/The file is/);
  });

  it.each([
    ['cursor', CURSOR],
    ['codex', `${CODEX}\n`],
  ])('keeps the line ends and the mark of %s’s file from Windows', (agent, unix) => {
    const text = `\uFEFF${unix.replaceAll('\n', '\r\n')}`;
    const after = added(agent, text);
    expect(after.slice(0, 3)).toBe(text.slice(0, 3));
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });
});

describe('withoutEntry', () => {
  it.each([
    ['codex', CODEX.replace('[profiles', '\n[profiles').concat('\n')],
    ['cursor', CURSOR],
    ['cursor', `\uFEFF${CURSOR.replaceAll('\n', '\r\n')}`],
    ['claudeCode', JSON.stringify({ mcpServers: { files: { command: 'x' } }, projects: { a: [1, 2] } })],
  ])('removes our entry from %s’s file, and touches nothing besides', (agent, before) => {
    const { text, rest } = { text: added(agent, before), rest: row(agent).format === 'toml' ? '\n' : '' };
    expect(withoutEntry(row(agent), text)).toBe(before + rest);
    expect(withoutEntry(row(agent), before)).toBe(before);
  });

  it('removes the last of several properties with the comma before it', () => {
    const text = '{"mcpServers":{"a":{},"tool-search":{"url":"u"}}}';
    expect(withoutEntry(row('cursor'), text)).toBe('{"mcpServers":{"a":{}}}');
    // The line that it shares stays a line.
    expect(withoutEntry(row('cursor'), '{"mcpServers": {"tool-search": {},\n"a": {}}}')).toBe(
      '{"mcpServers": {\n"a": {}}}',
    );
  });

  it('removes an edited table with its subtables', () => {
    const own = '[mcp_servers."tool-search"] # ours\nurl = "u"\n[mcp_servers."tool-search".http_headers]\nA = "b"\n';
    expect(withoutEntry(row('codex'), `${CODEX}\n${own}[x]\ny = [\n  [1], [2]\n]\n`)).toBe(
      `${CODEX}\n[x]\ny = [\n  [1], [2]\n]\n`,
    );
  });
});
