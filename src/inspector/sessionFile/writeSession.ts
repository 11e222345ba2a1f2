import { withoutContents } from '../../core/ledger/withoutContents';
import { NO_RULE } from '../protocol/inputs';
import type { ExportedSession, ExportOptions } from './exportedSession';
import { createRedactor } from './secrets';

/**
 * Writes a session as JSON, one line at a time. A long session is tens of megabytes, so the caller can yield to the
 * event loop between two lines.
 */
export function* writeSession(
  session: ExportedSession,
  { contents, at, productVersion, secrets }: ExportOptions,
): Generator<string> {
  const redact = createRedactor(secrets);
  const { strategy, delivery } = session;
  const head = {
    format: 'tool-search-session',
    // Increases with each change that older readers can't read.
    version: 1,
    exportedAt: new Date(at).toISOString(),
    product: { name: 'Tool Search', version: productVersion },
    contents,
    mode: session.mode,
    maxResults: session.maxResults,
    strategy: { name: strategy.name, why: strategy.why },
    delivery: { name: delivery.name, why: delivery.why },
    pins: session.pins,
  };
  const { tools, servers } = session.catalog;
  yield '{\n';
  for (const [field, value] of Object.entries(head))
    yield `${JSON.stringify(field)}: ${yield* redact(JSON.stringify(value))},\n`;
  // A server's detail may be its output, and a tool's examples contain the user's arguments.
  yield* list('servers', servers, (server) => (contents ? server : { ...server, detail: undefined }), redact);
  yield ',\n';
  yield* list(
    'tools',
    tools,
    (tool) => {
      const { invokeName: _, alwaysLoad: __, referenceName: ___, ...rest } = tool;
      const { loading, reason, reasonLong, rule } = session.loading.get(tool.id) ?? NO_RULE;
      const whole = { ...rest, tokens: session.tokensOf(tool), loading, reason, reasonLong, rule };
      return contents ? whole : { ...whole, examples: undefined };
    },
    redact,
  );
  yield ',\n';
  yield* list('events', session.events, (event) => (contents ? event : withoutContents(event)), redact);
  yield '\n}\n';
}

function* list<Item>(
  name: string,
  items: readonly Item[],
  toJson: (item: Item) => unknown,
  redact: ReturnType<typeof createRedactor>,
): Generator<string> {
  yield `${JSON.stringify(name)}: [`;
  for (const [index, item] of items.entries())
    yield `${index > 0 ? ',' : ''}\n${yield* redact(JSON.stringify(toJson(item)))}`;
  yield '\n]';
}
