import { expect, it } from 'vitest';
import { entryOf, withEntry, withoutEntry } from '../../../../../src/tools/mcp/agentFiles/agentEdits';
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

it.each(AGENT_FILES.filter(({ entry }) => entry))('withEntry makes a whole file for $title', ({ agent, format }) => {
  const text = added(agent, '');
  expect(text.endsWith('\n')).toBe(true);
  if (format === 'json') expect(JSON.parse(text).mcpServers['tool-search']).toBeDefined();
  expect(added(agent, text)).toBe(text);
});

/** Files by format, as users write them. */
const TEXTS: { readonly [agent: string]: readonly string[] } = {
  cursor: [
    ...[CURSOR, added('cursor', CURSOR), '[]', '{ /* none */ }', '{"mcpServers": {"tool-search": {},\n"a": {}}}'],
    ...['{"mcpServers":{"a":{},"tool-search":{"url":"u"}}}', '{"mcpServers": {"a": {}', '{"mcpServers":{"a":{}}}'],
    '{"mcpServers": {}, "mcpServers": {"a": {}}}',
    ...['', ' ', '{}', '{ }\n', '{\n}\n', '{"a":1}', '{\n    "a": 1\n}\n', '{"mcpServers":{}}', '{"mcpServers": {\n}}'],
    ...['{"mcpServers": null}', '{"mcpServers": []}', '{"mcpServers":{"tool-search":{"url":"x"}},"b":[1]}'],
    '{\n "mcpServers": {\n  "tool-search": {\n   "url": "http://localhost:2/mcp" }\n }\n}\n',
    '{\n\t"mcpServers": {\n\t\t"a": {}, // one\n\t\t"tool-search": { "url": "http://127.0.0.1:1/mcp" } // ours\n\t}\n}\n',
    '{\n  "mcpServers": {\n    "a": {},\n    "tool-search": {"serverUrl": "http://127.0.0.1:1/mcp"},\n  }\n}\n',
    '{"mcpServers": {"a": {} , "tool-search" : {"url": "http://127.0.0.1:1/mcp/"} , "b": {} }}',
    '{"mcpServers": {"tool-search": 7}}',
    ...['\uFEFF{\n    "mcpServers": {\n    }\n}\n', `\uFEFF${CURSOR.replaceAll('\n', '\r\n')}`],
    JSON.stringify({ mcpServers: { files: { command: 'x' } }, projects: { a: { history: ['ä'] } } }),
  ],
  codex: [
    ...[CODEX, 'mcp_servers = { files = { command = "x" } }\n', '[mcp_servers.a\n', ''],
    `${CODEX}\n[mcp_servers."tool-search"] # ours\nurl = "u"\n[mcp_servers."tool-search".http_headers]\nA = "b"\n[x]\ny = [\n  [1], [2]\n]\n`,
    ...['a = 1', 'a = 1979-05-27\n', '[mcp_servers]\n', '[mcp_servers.tool-search]\nurl = "http://127.0.0.1:1/mcp"'],
    "[mcp_servers.'tool-search']\r\nurl = 'https://127.0.0.1:1/mcp'\r\n[mcp_servers.'tool-search'.http_headers]\r\nA = 'b'\r\n[z]\r\n",
    '  [ mcp_servers.tool-search ] # ours\nurl = "http://localhost:1/mcp"\n[mcp_servers.tool-search-2]\nurl = "u"\n',
    'mcp_servers.tool-search.url = "u"\n',
    ...[`\uFEFF${CODEX.replaceAll('\n', '\r\n')}`, added('codex', CODEX.replace('[profiles', '\n[profiles'))],
    'a = [\n  [1, 2], # [mcp_servers.tool-search]\n]\n[[b]]\nc = 9007199254740993\n',
  ],
};

it.each(Object.keys(TEXTS))('a file of %s is read and edited as its list says', async (agent) => {
  const attempt = (edit: () => unknown) => {
    try {
      return JSON.stringify(edit()) ?? 'none';
    } catch (error) {
      return String(error);
    }
  };
  const told = TEXTS[agent]?.flatMap((text) => [
    ...[`file ${JSON.stringify(text)}`, ` entry ${attempt(() => entryOf(row(agent), text))}`],
    ...[` with ${attempt(() => added(agent, text))}`, ` without ${attempt(() => withoutEntry(row(agent), text))}`],
  ]);
  await expect(`${told?.join('\n')}\n`).toMatchFileSnapshot(`edits-${agent}.txt`);
});
