const vscode = require('vscode');

/** Maximum number of rounds in a turn. */
const MAX_ROUNDS = 10;

/**
 * Hosts the chat's modes, which VS Code itself leaves to an extension (Copilot Chat). Gives the chosen agent's instructions
 * and tools to the selected model, runs the tools that the model calls, and repeats this until the model calls no more.
 */
exports.activate = (context) => {
  context.subscriptions.push(vscode.chat.createChatParticipant('agentHost.agent', answer));
};

async function answer(request, _context, stream, token) {
  const { User } = vscode.LanguageModelChatMessageRole;
  const instructions = request.modeInstructions2?.content ?? request.modeInstructions ?? '';
  const messages = [
    new vscode.LanguageModelChatMessage(User, instructions),
    new vscode.LanguageModelChatMessage(User, request.prompt),
  ];
  const tools = chosenTools(request);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const response = await request.model.sendRequest(messages, { tools }, token);
    const said = [];
    for await (const part of response.stream) {
      said.push(part);
      if (part instanceof vscode.LanguageModelTextPart) stream.markdown(part.value);
    }
    const calls = said.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    if (calls.length === 0) return {};
    messages.push(vscode.LanguageModelChatMessage.Assistant(said));
    const results = await Promise.all(
      calls.map(async ({ callId, name, input }) => {
        const { content } = await vscode.lm.invokeTool(
          name,
          { input, toolInvocationToken: request.toolInvocationToken },
          token,
        );
        return new vscode.LanguageModelToolResultPart(callId, content);
      }),
    );
    messages.push(vscode.LanguageModelChatMessage.User(results));
  }
  return {};
}

/** The tools that the agent's file names and that the user left enabled in the picker. */
function chosenTools(request) {
  const on = new Set(
    [...request.tools].filter(([, enabled]) => enabled).map(([tool]) => (typeof tool === 'string' ? tool : tool.name)),
  );
  return vscode.lm.tools
    .filter(({ name }) => on.has(name))
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}
