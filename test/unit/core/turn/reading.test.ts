import { expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { isQuestion } from '../../../../src/core/conversation/transcript';
import type { ModelEvent, ModelRequest } from '../../../../src/core/ports';
import {
  call,
  choices,
  filler,
  makeServices,
  makeTool,
  makeWorld,
  ok,
  playTurn,
  schema,
  TestModel,
  TestRunner,
  text,
} from './world';

const string = { type: 'string' };
const number = { type: 'number' };

/** A tool of Copilot Chat as VS Code lists it. */
function copilotTool(name: string, referenceName: string, inputSchema: Tool['inputSchema']): Tool {
  const named = { modelName: `copilot_${name}`, invokeName: `copilot_${name}`, origin: 'vscode' as const };
  return makeTool('vscode', `copilot_${name}`, `Does ${referenceName}`, { ...named, referenceName, inputSchema });
}
const READ = copilotTool(
  'readFile',
  'readFile',
  schema({ filePath: string, startLine: number, endLine: number }, ['filePath', 'startLine', 'endLine']),
);
const TOOLS = [
  READ,
  copilotTool('listDirectory', 'listDirectory', schema({ path: string }, ['path'])),
  copilotTool('findFiles', 'fileSearch', schema({ query: string }, ['query'])),
  copilotTool('findTextInFiles', 'textSearch', schema({ query: string, isRegexp: { type: 'boolean' } }, ['query'])),
  copilotTool('getErrors', 'problems', schema({ filePaths: { type: 'array' } })),
  copilotTool('createFile', 'createFile', schema({ filePath: string, content: string }, ['filePath', 'content'])),
];

/** A model that knows nothing but its request: a tool that reads lines, and the folder that the request names. */
function literal({ system, tools, transcript }: ModelRequest): readonly ModelEvent[] {
  const asked = transcript.findLast(isQuestion);
  const [file] = (asked?.kind === 'user' && /\S+\.ts/.exec(asked.text)) || [];
  const reads = tools.find(({ inputSchema }) => [inputSchema.required ?? []].flat().includes('startLine'));
  const [folder] = /\/home\/[\w/]+/.exec(system) ?? [];
  if (!reads || !folder) return [text(`I can’t read ${file}: ${reads?.name}, ${folder}.`)];
  return [call(reads.name, { filePath: `${folder}/${file}`, startLine: 1, endLine: 20 })];
}

it.each([
  ['VS Code’s tools alone', TOOLS],
  ['VS Code’s tools beside a few of servers', [...TOOLS, ...filler('github', 10)]],
  ['VS Code’s tools beside many of servers', [...TOOLS, ...filler('github', 60)]],
  ['one tool, so that nothing is deferred', [READ]],
] as const)('a question about a file is answered from the file: %s', async (_, tools) => {
  const model = new TestModel([literal, [text('It adds numbers.')]]);
  const services = makeServices(makeWorld(tools).source, {
    user: { ...choices(), workspace: () => ['/home/ann/project'] },
  });
  const runner = new TestRunner(() => ok('// Adds numbers.'));
  const outcome = await playTurn(services, model, { prompt: 'what does src/extension.ts do?', runner });
  expect(outcome.answer).toBe('It adds numbers.');
  expect(runner.ran).toEqual([
    { id: READ.id, input: { filePath: '/home/ann/project/src/extension.ts', startLine: 1, endLine: 20 } },
  ]);
  expect(services.ledger.events.filter(({ type }) => type === 'searched')).toEqual([]);
});
