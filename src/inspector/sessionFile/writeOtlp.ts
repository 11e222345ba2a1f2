import { withoutContents } from '../../core/ledger/withoutContents';
import { groupBy } from '../../core/util/groupBy';
import type { ExportedSession, ExportOptions } from './exportedSession';
import { attributesOf, newId } from './otlp';
import { createRedactor } from './secrets';
import { turnSpans } from './turnSpans';

/**
 * The version of the semantic conventions that define the `gen_ai.*` names. Later versions are in a separate
 * repository.
 */
export const SEMCONV_VERSION = '1.45.0';
const SCHEMA_URL = `https://opentelemetry.io/schemas/${SEMCONV_VERSION}`;

/**
 * Writes a session as an OTLP trace request in JSON, one span at a time. Each turn is a trace with its model calls, and
 * each model call contains its searches and tool calls.
 */
export function* writeOtlp(session: ExportedSession, options: ExportOptions): Generator<string> {
  const redact = createRedactor(options.secrets);
  const resource = {
    attributes: attributesOf({
      'service.name': 'tool-search',
      'service.version': options.productVersion,
      'service.instance.id': newId(16),
    }),
  };
  const scope = {
    name: 'toolsearch',
    version: options.productVersion,
    attributes: attributesOf({
      'toolsearch.semconv_version': SEMCONV_VERSION,
      'toolsearch.exported_at': new Date(options.at).toISOString(),
      'toolsearch.contents': options.contents,
      'toolsearch.mode': session.mode,
      'toolsearch.catalog.tools': session.catalog.tools.length,
    }),
  };
  yield `{"resourceSpans": [{"resource": ${JSON.stringify(resource)}, "schemaUrl": ${JSON.stringify(SCHEMA_URL)}, "scopeSpans": [\n`;
  yield `{"scope": ${JSON.stringify(scope)}, "schemaUrl": ${JSON.stringify(SCHEMA_URL)}, "spans": [`;
  let first = true;
  for (const events of groupBy(session.events, ({ turn }) => turn).values()) {
    const exported = options.contents ? events : events.map(withoutContents);
    for (const span of turnSpans(exported, options.contents)) {
      yield `${first ? '' : ','}\n${yield* redact(JSON.stringify(span))}`;
      first = false;
    }
  }
  yield '\n]}]}]}\n';
}
