import type { ServerInfo } from '../../core/catalog/catalog';
import { compareText, VSCODE_SERVER } from '../../core/catalog/tool';
import { pinOf } from '../../core/settings/pins';
import { sumTokens } from '../../core/usage/tokens';
import { groupBy } from '../../core/util/groupBy';
import type { ViewInputs } from '../protocol/inputs';
import type { ServerView, ToolView } from '../protocol/view';
import { cutBytes, firstOf } from '../text/bytes';

/**
 * The maximum number of bytes of a server's detail. The full output of a server and the problems of its tools are in
 * the log.
 */
const MAX_DETAIL = 2_000;
const MAX_PROBLEMS = 6_000;

/** Returns all configured servers, and others with tools, such as VS Code itself. */
export function serverViews(inputs: ViewInputs, tools: readonly ToolView[]): ServerView[] {
  const own = groupBy(tools, ({ server }) => server);
  const configured = new Set(inputs.catalog.servers.map((server) => server.name));
  const others = [...own.keys()]
    .filter((name) => !configured.has(name))
    .map((name): ServerInfo => ({ name, state: 'running', problems: [] }));
  return [...inputs.catalog.servers, ...others]
    .sort((a, b) => compareText(a.name, b.name))
    .map((server) => {
      const since = server.state === 'starting' ? inputs.startingSince.get(server.name) : undefined;
      const problems = server.problems.map((problem) => cutBytes(problem, MAX_DETAIL));
      const of = (own.get(server.name) ?? []).filter(({ loading }) => loading !== 'omitted');
      return {
        name: server.name,
        state: server.state,
        detail: server.detail && cutBytes(server.detail, MAX_DETAIL),
        source: server.source && cutBytes(server.source, MAX_DETAIL),
        cached: server.cached,
        problems: firstOf(problems, MAX_PROBLEMS),
        tools: of.length,
        tokens: sumTokens(of.map(({ tokens }) => tokens)),
        pin: pinOf(inputs.pins, { kind: 'server', id: server.name }),
        editor: server.name === VSCODE_SERVER,
        startingMs: since === undefined ? undefined : Math.max(0, inputs.now - since),
      };
    });
}
