import { newChat } from '../harness/chat.mjs';

/** Models that the stand-in for both services has. */
export const CLAUDE = 'toolsearch-anthropic/claude-sonnet-4-5';
export const GPT = 'toolsearch-openai/gpt-5.4';

export const AUTO = { 'toolsearch.delivery': 'auto', 'toolsearch.strategy': 'auto' };

/** Requests for an answer, without counts and lists of models. */
export const answers = (session) =>
  session.standIn.requests.filter((request) => /\/(messages|responses)$/.test(request.path));

/** A new chat with this model and these settings. */
export async function begin(session, model, settings = AUTO) {
  await newChat(session.page);
  await session.changeSettings(settings);
  await session.chooseModel(model);
}
