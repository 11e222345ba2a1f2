import { sumTokens } from '../../core/usage/tokens';
import type { ServerView, ToolView, ViewState } from '../protocol/view';
import type { Text } from '../text/text';

/**
 * The maximum number of tools of each kind that are named. The heaviest of hundreds of tools are the interesting ones.
 */
const NAMED = 10;

/**
 * Returns the cost and use of the tools, and the suggestions, as text for a model. Names come from servers, so they are
 * quoted as data.
 */
export function auditText(state: ViewState, text: Text): string {
  const offered = state.tools.filter((tool) => tool.loading !== 'omitted');
  const total = (tools: readonly ToolView[]) =>
    `${tools.length} tools, ${text.tokens(sumTokens(tools.map((tool) => tool.tokens)))} tokens`;
  const of = (loading: ToolView['loading']) => offered.filter((tool) => tool.loading === loading);
  const unused = of('eager').filter((tool) => tool.calls === 0);
  const sections = [
    [
      `All definitions: ${total(offered)}. In each request: ${total(of('eager'))}. Found by search so far: ${total(of('discovered'))}.`,
    ],
    [`Turns remembered: ${state.turns.length}.`],
    ['Servers:', ...state.servers.map((server) => serverLine(server, state.tools, text))],
    ['Always in the request and never called, heaviest first:', ...named(unused, text)],
    [
      'Called most:',
      ...named(
        [...offered].filter((tool) => tool.calls > 0).sort((a, b) => b.calls - a.calls),
        text,
        false,
      ),
    ],
    [
      'Suggestions:',
      ...(state.suggestions?.items ?? []).map(({ title, evidence, saving, benefit }) =>
        [`- ${title}. ${evidence}`, saving ? `${text.net(saving.tokens)} tokens ${saving.per}` : (benefit ?? '')]
          .filter(Boolean)
          .join(' '),
      ),
    ],
  ];
  return sections
    .map((lines) => (lines.length === 1 && lines[0]?.endsWith(':') ? `${lines[0]} none` : lines.join('\n')))
    .join('\n\n');
}

function serverLine(server: ServerView, tools: readonly ToolView[], text: Text): string {
  const own = tools.filter((tool) => tool.server === server.name);
  const calls = own.reduce((sum, tool) => sum + tool.calls, 0);
  return `- ${JSON.stringify(server.name)}: ${server.state}, ${server.tools} tools, ${text.tokens(server.tokens)} tokens, ${calls} calls`;
}

function named(tools: readonly ToolView[], text: Text, byWeight = true): string[] {
  const sorted = byWeight ? [...tools].sort((a, b) => b.tokens.value - a.tokens.value) : tools;
  const lines = sorted
    .slice(0, NAMED)
    .map((tool) => `- ${JSON.stringify(tool.id)}: ${text.tokens(tool.tokens)} tokens, ${tool.calls} calls`);
  return sorted.length > NAMED ? [...lines, `- and ${sorted.length - NAMED} more`] : lines;
}
