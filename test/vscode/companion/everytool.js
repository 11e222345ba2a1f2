const vscode = require('vscode');

const MAX_ROUNDS = 8;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * `@everytool`: an agent that doesn't know Tool Search. It passes all of `vscode.lm.tools` to the model that the user
 * chose and runs the tool loop by itself. It keeps its conversation in memory, as messages.
 */
exports.registerEverytool = () => {
  let messages = [];
  return vscode.chat.createChatParticipant('companion.everytool', async (request, chat, stream, token) => {
    if (chat.history.length === 0) messages = [];
    if (request.command === 'count') return count(request, stream, token);
    const image =
      request.command === 'picture'
        ? [vscode.LanguageModelDataPart.image(Buffer.from(PIXEL, 'base64'), 'image/png')]
        : [];
    messages.push(vscode.LanguageModelChatMessage.User([new vscode.LanguageModelTextPart(request.prompt), ...image]));
    try {
      await answer(messages, request, stream, token);
    } catch (error) {
      stream.markdown(`\n\nFailed as ${error.code ?? error.name}: ${error.message}`);
    }
    return {};
  });
};

async function answer(messages, request, stream, token) {
  const called = [];
  const tools = vscode.lm.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const must = request.command === 'must' && round === 0;
    const toolMode = must ? vscode.LanguageModelChatToolMode.Required : vscode.LanguageModelChatToolMode.Auto;
    const response = await request.model.sendRequest(messages, { tools, toolMode }, token);
    const parts = [];
    for await (const part of response.stream) {
      parts.push(part);
      if (part instanceof vscode.LanguageModelTextPart) stream.markdown(part.value);
    }
    const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    const text = parts.filter((part) => part instanceof vscode.LanguageModelTextPart).map((part) => part.value);
    const said = [new vscode.LanguageModelTextPart(text.join('')), ...calls];
    messages.push(vscode.LanguageModelChatMessage.Assistant(said));
    if (calls.length === 0) break;
    const results = [];
    for (const call of calls) {
      called.push(call.name);
      const { toolInvocationToken } = request;
      const result = await vscode.lm.invokeTool(call.name, { input: call.input, toolInvocationToken }, token);
      results.push(new vscode.LanguageModelToolResultPart(call.callId, result.content));
    }
    messages.push(vscode.LanguageModelChatMessage.User(results));
  }
  // Writes the names at the end, since VS Code folds away text between the steps.
  stream.markdown(`\n\nCalled ${called.join(', ')}.`);
}

async function count(request, stream, token) {
  const counts = await Promise.all(request.prompt.split(' ').map((word) => request.model.countTokens(word, token)));
  const whole = await request.model.countTokens(request.prompt.repeat(200), token);
  stream.markdown(
    `Counted ${counts.length} words: ${counts.every((tokens) => tokens > 0)}, and a long text: ${whole > 100}`,
  );
  return {};
}
