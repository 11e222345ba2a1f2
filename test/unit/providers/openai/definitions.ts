import type { Tool, ToolDefinition } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { EMPTY_REQUEST, type ModelRequest } from '../../../../src/core/ports';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { filler, makeTool, schema } from '../../core/turn/world';

export const SUM = makeTool('math', 'get-sum', 'Returns the sum of two numbers', {
  inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
});
export const ECHO = makeTool('math', 'echo', 'Echoes back the input', {
  inputSchema: schema({ message: { type: 'string' } }, ['message']),
});
export const TIME = makeTool('clock', 'now', 'Tells the time in a city', {
  inputSchema: schema({ city: { type: 'string' } }, ['city']),
});
/** Enough tools for deferral to save tokens. */
export const TOOLS = [SUM, ECHO, TIME, ...filler('other', 40)];

export const define = (tool: Tool): ToolDefinition => definitionOf(tool).definition;

export function request(rest: Partial<ModelRequest> = {}): ModelRequest {
  const transcript: Transcript = [{ kind: 'user', text: 'hello' }];
  return { ...EMPTY_REQUEST, transcript, delivery: 'server', strategy: 'provider', ...rest };
}
