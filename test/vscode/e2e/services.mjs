import { newChat } from '../harness/chat.mjs';

/** Models that the stand-in for both services has. */
export const CLAUDE = 'toolsearch-anthropic/claude-sonnet-4-5';
export const GPT = 'toolsearch-openai/gpt-5.4';

export const AUTO = { 'toolsearch.delivery': 'auto', 'toolsearch.strategy': 'auto' };

/** The requests for an answer, without those for counts and lists of models. */
export const answers = (session) =>
  session.standIn.requests.filter((request) => /\/(messages|responses)$/.test(request.path));

/** Begins a new chat with this model and these settings. */
export async function begin(session, model, settings = AUTO) {
  await newChat(session.page);
  await session.changeSettings(settings);
  await session.chooseModel(model);
}

/** The parts of a request that its model reads. Deferred functions are not among them. */
export const seen = ({ body }) => {
  const plain = (value) => JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part));
  const tools = body.tools.filter((tool) => !tool.defer_loading).map(({ tools: _, ...tool }) => plain(tool));
  const said = body.input ?? body.messages.flatMap(({ role, content }) => [role, ...[content].flat()]);
  return [...tools, plain(body.system ?? body.instructions), ...said.map(plain)];
};
