const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const MODEL = {
  id: 'literal',
  name: 'Literal',
  family: 'literal',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: { toolCalling: true },
  isUserSelectable: true,
};

/**
 * Contributes the reading tools of Copilot Chat (their names, words and schemas), and a model that knows only its
 * request, all once the setting `reader.on` is. The model reads the file that a question names, if the request has a
 * tool for that, and answers with the file's first line.
 */
exports.activate = (context) => {
  const text = (value) => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(value)]);
  const tool = (name, invoke) => vscode.lm.registerTool(name, { invoke: ({ input }) => text(invoke(input)) });
  const unused = () => 'Nothing.';
  context.subscriptions.push(
    tool('copilot_readFile', ({ filePath, startLine, endLine }) =>
      fs
        .readFileSync(filePath, 'utf8')
        .split('\n')
        .slice(startLine - 1, endLine)
        .join('\n'),
    ),
    tool('copilot_listDirectory', (input) => fs.readdirSync(input.path).join('\n')),
    ...['copilot_findFiles', 'copilot_findTextInFiles', 'copilot_getErrors', 'copilot_createFile'].map((name) =>
      tool(name, unused),
    ),
    vscode.lm.registerLanguageModelChatProvider('literal', {
      onDidChangeLanguageModelChatInformation: vscode.workspace.onDidChangeConfiguration,
      provideLanguageModelChatInformation: () => (vscode.workspace.getConfiguration().get('reader.on') ? [MODEL] : []),
      provideLanguageModelChatResponse: async (_model, messages, { tools = [] }, progress) =>
        progress.report(answer(messages, tools)),
      provideTokenCount: async (_model, value) => Math.ceil(JSON.stringify(value).length / 4),
    }),
  );
};

/** The model knows nothing but the request. */
function answer(messages, tools) {
  const parts = messages.flatMap(({ content }) => content);
  const result = parts.findLast((part) => part instanceof vscode.LanguageModelToolResultPart);
  const say = (value) => new vscode.LanguageModelTextPart(value);
  if (result)
    return say(
      `It begins with: ${
        result.content
          .map(({ value }) => value)
          .join('')
          .split('\n')[0]
      }`,
    );
  const texts = parts.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []));
  const [file] = /[\w./-]+\.\w+/.exec(texts.at(-1)) ?? [];
  const reads = tools.find(({ inputSchema }) => inputSchema?.required?.includes('startLine'));
  if (!reads) return say(`I have no tool that reads ${file}. My tools: ${tools.map(({ name }) => name).join(', ')}.`);
  // The tool needs an absolute path, so the request has to name the folder.
  const folder = texts
    .join('\n')
    .match(/\/[\w./-]+/g)
    ?.find((found) => fs.existsSync(path.join(found, file)));
  if (!folder) return say(`I don't know in which folder ${file} is. I was told: ${texts.join('\n')}`);
  const input = { filePath: path.join(folder, file), startLine: 1, endLine: 20 };
  return new vscode.LanguageModelToolCallPart('call_1', reads.name, input);
}
