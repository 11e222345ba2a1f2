const vscode = require('vscode');

const TOOLS = ['toolsearch_search_tools', 'toolsearch_describe_tool', 'toolsearch_call_tool', 'toolsearch_run_code'];

/**
 * `@agent WORDS {ARGUMENTS}`: another agent of VS Code, whose MCP tools are all switched off. It has only the tools of
 * Tool Search. In place of a model, it searches for WORDS and calls the first tool found with ARGUMENTS. After `run:`
 * the prompt is a script to run.
 */
exports.registerAgent = () =>
  vscode.chat.createChatParticipant('companion.agent', async (request, _context, stream, token) => {
    const tools = vscode.lm.tools.map((tool) => tool.name).filter((name) => TOOLS.includes(name));
    const use = async (name, input) => {
      if (!tools.includes(name)) throw new Error(`There is no tool ${name}.`);
      const result = await vscode.lm.invokeTool(
        name,
        { input, toolInvocationToken: request.toolInvocationToken },
        token,
      );
      return result.content.map((part) => part.value).join('\n');
    };
    if (request.prompt.startsWith('run:')) {
      stream.markdown(await use('toolsearch_run_code', { title: 'A script', code: request.prompt.slice(4) }));
      return;
    }
    const [, words, args] = /^(.*?)\s*(\{.*\})?$/s.exec(request.prompt);
    const found = await use('toolsearch_search_tools', { queries: [words] });
    const [, tool] = /^(\w+)\(/m.exec(found) ?? [];
    const ran = args && tool ? await use('toolsearch_call_tool', { name: tool, arguments: JSON.parse(args) }) : '';
    // Writes everything at the end, since VS Code folds away text between the steps.
    stream.markdown(`${tools.length} tools, found ${tool}.\n\n${ran}`);
  });
