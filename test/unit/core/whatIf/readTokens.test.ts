import { describe, expect, it } from 'vitest';
import { CALL_TOOL } from '../../../../src/core/catalog/modelNames';
import type { Tool, ToolDefinition } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { ownDefinitions } from '../../../../src/core/planning/ownTools';
import { EMPTY_REQUEST, type ModelRequest } from '../../../../src/core/ports';
import { definitionOf, definitionText } from '../../../../src/core/usage/tokens';
import { readRequest } from '../../../../src/core/whatIf/readTokens';
import { recordedModel } from '../../../../src/providers/capabilities';
import { viewRequest } from '../../../../src/providers/requestView';
import { makeCatalog } from '../turn/world';
import { TOOLS } from '../usage/twinConversations';

const CLAUDE = recordedModel({ vendor: 'anthropic', id: 'claude-sonnet-4-6', name: 'claude-sonnet-4-6' });
const GPT = recordedModel({ vendor: 'openai', id: 'gpt-5.4', name: 'gpt-5.4' });
const catalog = makeCatalog(TOOLS);
const [echo, draw] = ['talk/echo', 'talk/draw'].map((id) => definitionOf(catalog.byId.get(id) as Tool).definition) as [
  ToolDefinition,
  ToolDefinition,
];

function read(request: Partial<ModelRequest>, info = CLAUDE) {
  return readRequest({ ...EMPTY_REQUEST, ...request }, { catalog, info, viewRequest, twinHasScripts: false });
}

describe('what a model reads of a request', () => {
  it.each([CLAUDE, GPT])('has the arguments of call_tool in its twin too, by $id', (info) => {
    const searching = (message: string) => {
      const input = { name: echo.name, arguments: { message } };
      const transcript: Transcript = [
        { kind: 'user', text: 'x' },
        { kind: 'assistant', text: '', calls: [{ callId: 'c', name: CALL_TOOL, input }] },
        { kind: 'results', results: [{ callId: 'c', outcome: 'ok', parts: [] }] },
      ];
      return read({ delivery: 'bridge', tools: ownDefinitions('bridge', {}), transcript }, info).searching;
    };
    expect(searching('word '.repeat(1000))).toBe(searching('word'));
  });

  it('has the tools that joined or left in the conversation', () => {
    const changes = [{}, { joined: [echo] }, { joined: [draw] }, { left: [echo.name] }];
    const entries = changes.map((change) => read({ transcript: [{ kind: 'user', text: 'x', ...change }] }).segments[0]);
    expect(new Set(entries.map((entry) => entry?.hash)).size).toBe(4);
    const [plain, joined] = entries;
    const chars = (joined?.chars ?? 0) - (plain?.chars ?? 0);
    expect(chars).toBe(definitionText(echo).length);
  });
});
