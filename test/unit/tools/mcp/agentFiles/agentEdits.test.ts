import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeBetween,
  serversOf,
  undone,
  withEntry,
  withoutServers,
} from '../../../../../src/tools/mcp/agentFiles/agentEdits';
import { AGENT_FILES, type AgentFile } from '../../../../../src/tools/mcp/agentFiles/agentFileTable';
import { holds } from '../../../property';

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

describe('withoutServers', () => {
  it('sets the flag of Codex and Windsurf, and leaves out elsewhere', () => {
    expect(withoutServers(row('codex'), CODEX, ['files'])).toBe(
      CODEX.replace('[mcp_servers.files]\n', '[mcp_servers.files]\nenabled = false\n'),
    );
    const on = '[mcp_servers.a]\nenabled = true # yes\ncommand = "x"\n';
    expect(withoutServers(row('codex'), on, ['a'])).toBe(on.replace('true', 'false'));
    const windsurf = '{"mcpServers": {"a": {"command": "x"}}}';
    expect(JSON.parse(withoutServers(row('windsurf'), windsurf, ['a'])).mcpServers.a.disabled).toBe(true);
    const without = (names: readonly string[], text = CURSOR) => withoutServers(row('cursor'), text, names);
    expect(without(['web'])).toBe(CURSOR.replace('\t\t"web": { "url": "https://w" },\n', ''));
    expect(without(['files', 'web'])).toBe(
      CURSOR.replace('"files": { "command": "npx" },', '').replace('\t\t"web": { "url": "https://w" },\n', ''),
    );
    expect(without(['b'], '{"mcpServers":{"a":{},"b":{}}}')).toBe('{"mcpServers":{"a":{}}}');
    expect(without(['a'], '{"mcpServers":{"a":{},"b":{}}}')).toBe('{"mcpServers":{"b":{}}}');
  });
});

describe('undone', () => {
  const steps = (agent: string, before: string, off: readonly string[]) => {
    const first = added(agent, before);
    const second = withoutServers(row(agent), first, off);
    const servers = serversOf(row(agent), first, off);
    return { after: second, changes: [changeBetween(before, first), { ...changeBetween(first, second), servers }] };
  };

  it.each([
    ['codex', CODEX],
    ['cursor', CURSOR],
    ['cursor', `\uFEFF${CURSOR.replaceAll('\n', '\r\n')}`],
    ['claudeCode', JSON.stringify({ mcpServers: { files: { command: 'x' } }, projects: { a: [1, 2] } })],
    ['copilot', '{}'],
    ['codex', ''],
  ])('brings %s’s file back byte by byte', (agent, before) => {
    const off = before.includes('files') ? ['files'] : [];
    const { after, changes } = steps(agent, before, off);
    expect(after).not.toBe(before);
    expect(undone(row(agent), after, changes)).toBe(before);
  });

  it('takes out ours alone if the file has changed since', () => {
    const { after, changes } = steps('codex', CODEX, []);
    const [first] = changes;
    expect(undone(row('codex'), `# new\n${after}`, first ? [first] : [])).toBe(`# new\n${CODEX}`);
    expect(undone(row('codex'), 'model = "y"\n', changes)).toBe('model = "y"\n');
  });

  it.each([
    ['claudeCode', '{"mcpServers": {"files": {"command": "x"}, "web": {"url": "u"}}}'],
    ['windsurf', '{"mcpServers": {"files": {"command": "x"}}}'],
  ])('brings back servers of %s’s file after another wrote it', (agent, before) => {
    const { after, changes } = steps(agent, before, ['files']);
    const anew = JSON.stringify({ numStartups: 4, ...JSON.parse(after) }, undefined, 4);
    expect(JSON.parse(undone(row(agent), anew, changes))).toEqual({ numStartups: 4, ...JSON.parse(before) });
    // `claude mcp remove tool-search` has removed the entry.
    const { 'tool-search': _, ...servers } = JSON.parse(after).mcpServers;
    const removed = JSON.stringify({ mcpServers: servers }, undefined, 2);
    expect(JSON.parse(undone(row(agent), removed, changes))).toEqual(JSON.parse(before));
  });

  it('takes an edited table out, and switches servers on', () => {
    const { after, changes } = steps('codex', CODEX, ['files']);
    const edited = after.replace('4321', '1').replace('enabled = false\n', 'enabled = false # off\n');
    const back = undone(row('codex'), edited, changes);
    expect(back).not.toContain('tool-search');
    expect(back).toContain('enabled = true # off\n');
    expect(undone(row('codex'), added('codex', CODEX), [])).not.toContain('tool-search');
  });

  it('leaves off what was off before, in an edited file', () => {
    const before = `[mcp_servers.old]\nenabled = false\n\n${CODEX}`;
    const { after, changes } = steps('codex', before, ['files']);
    const back = undone(row('codex'), `# new\n${after}`, changes);
    expect(back).toContain('[mcp_servers.old]\nenabled = false\n');
    expect(back).toContain('[mcp_servers.files]\nenabled = true\n');
  });

  it('reverses any change', () => {
    holds(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(undone(row('codex'), after, [changeBetween(before, after)])).toBe(before);
      }),
    );
  });
});
