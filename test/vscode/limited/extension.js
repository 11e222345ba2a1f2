const vscode = require('vscode');

const MAX_FUNCTIONS = 128;

/**
 * Contributes models of another vendor: `plain` refuses requests with more than 128 functions, as several services do,
 * and `mute` can't call tools. `plain` is asked `WORDS {ARGUMENTS}`: it searches for WORDS if it has no function of
 * that name, calls what it found with ARGUMENTS, and answers with the result and the number of functions it was given.
 * Asked to `fail` it fails, asked to `wait` it answers until it is cancelled, and asked to `tell` it tells how often
 * that was and how many images it was given.
 */
exports.activate = (context) => {
  const model = (id, toolCalling) => ({
    id,
    name: `Limited ${id}`,
    family: id,
    version: '1',
    maxInputTokens: 100_000,
    maxOutputTokens: 10_000,
    capabilities: { toolCalling, imageInput: true },
    isUserSelectable: true,
  });
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('limited', {
      provideLanguageModelChatInformation: () => [model('plain', true), model('mute', false)],
      provideLanguageModelChatResponse: async (_model, messages, { tools = [] }, progress, token) => {
        if (tools.length > MAX_FUNCTIONS) throw new Error(`At most ${MAX_FUNCTIONS} functions, not ${tools.length}.`);
        const parts = messages.flatMap(({ content }) => content);
        const asked = parts.findLast((part) => part instanceof vscode.LanguageModelTextPart)?.value;
        if (asked === 'fail') throw new Error('Out of memory.');
        if (asked === 'wait') return waitUntil(token, progress);
        if (asked !== 'tell') return progress.report(answer(parts, tools));
        const images = parts.filter(
          (part) => part instanceof vscode.LanguageModelDataPart && /^image/.test(part.mimeType),
        );
        progress.report(new vscode.LanguageModelTextPart(`${cancelled} cancelled, ${images.length} images`));
      },
      provideTokenCount: async (_model, value) => Math.ceil(JSON.stringify(value).length / 4),
    }),
  );
};

let cancelled = 0;

function waitUntil(token, progress) {
  progress.report(new vscode.LanguageModelTextPart('I am waiting.'));
  return new Promise((resolve) =>
    token.onCancellationRequested(() => {
      cancelled++;
      resolve();
    }),
  );
}

function answer(parts, tools) {
  const texts = parts.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []));
  const [, words, args] = /^(.+?) (\{.*\})$/s.exec(texts.findLast((text) => / \{.*\}$/s.test(text))) ?? [];
  const results = parts.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
  const call = (name, input) => new vscode.LanguageModelToolCallPart(`call_${results.length + 1}`, name, input);
  const said =
    results
      .at(-1)
      ?.content.map(({ value }) => value)
      .join('') ?? '';
  const has = (name) => tools.some((tool) => tool.name === name);
  if (results.length > 1) return new vscode.LanguageModelTextPart(`${said} (${tools.length} functions)`);
  if (results.length === 0) return call('search_tools', { queries: [words] });
  const [found] = said.match(/\w*get_invoice\b/) ?? [];
  const input = JSON.parse(args);
  return has(found) ? call(found, input) : call('call_tool', { name: found, arguments: input });
}
