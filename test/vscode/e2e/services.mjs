import { KEYS } from '../../standin/server.mjs';
import { newChat } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { closeEditors, command, pick } from '../harness/workbench.mjs';

/** Models that the stand-in for both services has. */
export const CLAUDE = 'toolsearch-anthropic/claude-sonnet-4-5';
export const GPT = 'toolsearch-openai/gpt-5.4';

export const AUTO = { 'toolsearch.delivery': 'auto', 'toolsearch.strategy': 'auto' };

/** The requests for an answer, without those for counts and lists of models. */
export const answers = (session) =>
  session.standIn.requests.filter((request) => /\/(messages|responses)$/.test(request.path));

/** Sets the key of a model's service, unless the environment or an earlier scenario did. */
export async function withKey(session, model) {
  const service = /^toolsearch-(anthropic|openai)/.exec(model)?.[1];
  if (!service || !session.setsKeys || (await session.models()).includes(model)) return;
  await manageKey(session, { anthropic: 'Anthropic', openai: 'OpenAI' }[service], 'Set Key');
  await typeKey(session.page, KEYS[service]);
  await offered(session, model);
}

/** Chooses a service in the command's first quick pick, and then an action. */
export async function manageKey(session, service, action) {
  // A webview that is still loading would take the focus, which closes VS Code's quick picks.
  await closeEditors(session);
  const { page } = session;
  await command(page, 'Tool Search: Manage API Keys');
  await pick(page, service);
  await page.locator(`.quick-input-widget input[placeholder^="${service}:"]`).waitFor();
  await pick(page, action);
}

/** Types a key into the open input, which must hide it. */
export async function typeKey(page, key) {
  const input = page.locator('.quick-input-widget input[type="password"]');
  await input.waitFor();
  await input.fill(key);
  await page.keyboard.press('Enter');
}

export const offered = (session, model) =>
  until(`${model} to be offered`, async () => (await session.models()).includes(model));

/** Begins a new chat with this model and these settings. */
export async function begin(session, model, settings = AUTO) {
  await withKey(session, model);
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
