import { createRequire } from 'node:module';
import * as semconv from '@opentelemetry/semantic-conventions/incubating';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../package.json';
import type { LedgerEvent } from '../../../../src/core/ledger/ledger';
import type { ViewInputs } from '../../../../src/inspector/protocol/inputs';
import type { KeyValue, OtlpSpan } from '../../../../src/inspector/sessionFile/otlp';
import { SEMCONV_VERSION, writeOtlp } from '../../../../src/inspector/sessionFile/writeOtlp';
import { rows } from '../../../data/rows';
import { fixtureEvents, fixtureInputs, pricedEvents, scriptEvents } from '../../../webview/fixture';
import { holds } from '../../property';
import { OPTIONS, sessions } from './sessions';

/** OpenTelemetry's own classes, generated from its published .proto files. */
const { opentelemetry } = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const Request = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

function write(inputs: ViewInputs, contents = true) {
  return JSON.parse([...writeOtlp(inputs, { ...OPTIONS, contents })].join(''));
}

const spansOf = (document: ReturnType<typeof write>): OtlpSpan[] => document.resourceSpans[0].scopeSpans[0].spans;

/** Converts the ids of a document: they are hexadecimal in OTLP's JSON, but base64 in protobuf's JSON. */
function withIds(value: unknown, convert: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => withIds(each, convert));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      /^(trace|span|parentSpan)Id$/.test(key) ? convert(String(each)) : withIds(each, convert),
    ]),
  );
}

/** A document as an OTLP receiver reads it, in the same JSON. Unknown fields are lost. */
function received(document: unknown): unknown {
  const toBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
  const bytes = Request.encode(Request.fromObject(withIds(document, toBase64))).finish();
  const decoded = Request.toObject(Request.decode(bytes), { longs: String, bytes: String });
  return withIds(decoded, (base64) => Buffer.from(base64, 'base64').toString('hex'));
}

/** Removes empty lists, which protobuf can't distinguish from missing ones. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => !(Array.isArray(each) && each.length === 0))
      .map(([key, each]) => [key, withoutEmpty(each)]),
  );
}

function valuesOf(span: { readonly attributes: readonly KeyValue[] }): { [key: string]: unknown } {
  return Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Whether an event isn't one of many calls of a script. */
const isFew = (event: LedgerEvent) => event.type !== 'called' || /"index":[01]\}/.test(event.args);

/** The event; a call that was repeated is one of a tool that the model made up. */
const made = (event: LedgerEvent) => (event.type === 'called' && event.retry > 0 ? { ...event, known: false } : event);

/** The event; a model of another agent is one of Google. */
const googles = (event: LedgerEvent) =>
  event.type === 'turnStarted' ? { ...event, model: { ...event.model, vendor: 'Google' } } : event;

/** Whether another agent's turn has such an event. */
const isAgents = ({ type }: LedgerEvent) => !/^round/.test(type);

describe('a session in OTLP', () => {
  it('is what the published protocol says, to the last field', () => {
    holds([sessions, fc.boolean()], (inputs, contents) => {
      const document = write(inputs, contents);
      expect(withoutEmpty(received(document))).toEqual(withoutEmpty(document));
      expect(
        Request.verify(Request.fromObject(withIds(document, (hex) => Buffer.from(hex, 'hex').toString('base64')))),
      ).toBeNull();
    });
  });

  it('uses only attributes of the named semantic conventions, and its own', () => {
    expect(manifest.devDependencies['@opentelemetry/semantic-conventions']).toBe(SEMCONV_VERSION);
    const known = new Set(
      Object.entries(semconv).flatMap(([name, value]) => (name.startsWith('ATTR_') ? [value] : [])),
    );
    holds([sessions], (inputs) => {
      const document = write(inputs);
      const [resource] = document.resourceSpans;
      expect(resource.schemaUrl).toBe(`https://opentelemetry.io/schemas/${SEMCONV_VERSION}`);
      for (const { attributes, events = [] } of [resource.resource, ...spansOf(document)]) {
        for (const { key } of [...attributes, ...events.flatMap((event: OtlpSpan) => event.attributes)]) {
          expect(key.startsWith('toolsearch.') || known.has(key), key).toBe(true);
        }
      }
    });
  });

  it('has no attribute whose name is the beginning of another’s', () => {
    const names = new Set(spansOf(write(fixtureInputs())).flatMap((span) => span.attributes.map(({ key }) => key)));
    for (const name of names) expect([...names].filter((other) => other.startsWith(`${name}.`))).toEqual([]);
  });

  it.each([
    ['session', fixtureInputs(), true],
    ['silent', fixtureInputs({ events: fixtureEvents().map(made) }), false],
    ['scripts', fixtureInputs({ events: scriptEvents().filter(isFew).slice(0, -1) }), true],
    ['agent', fixtureInputs({ events: scriptEvents().filter(isFew).filter(isAgents).map(googles) }), false],
    ['cache', { ...fixtureInputs(), events: pricedEvents() }, true],
  ] as const)('has the spans and values that %s’s file lists', async (name, inputs, contents) => {
    const document = write(inputs, contents);
    const [{ resource, scopeSpans }] = document.resourceSpans;
    const lines = rows({ ...valuesOf(resource), ...valuesOf(scopeSpans[0].scope), 'service.instance.id': '' });
    const spans = spansOf(document);
    const ids = (all: readonly (string | undefined)[]) => [...new Set(all)];
    const [traces, places] = [ids(spans.map(({ traceId }) => traceId)), ids(spans.map(({ spanId }) => spanId))];
    const firsts = new Map<string, { readonly [field: string]: unknown }>();
    for (const { attributes, traceId, spanId, parentSpanId, events = [], ...span } of spans) {
      const place = `trace ${traces.indexOf(traceId)}, span ${places.indexOf(spanId)} below ${places.indexOf(parentSpanId)} `;
      const values: { readonly [field: string]: unknown } = {
        ...{ ...span, ...valuesOf({ attributes }) },
        ...(events.length > 0 ? { events: events.map((event) => ({ ...event, attributes: valuesOf(event) })) } : {}),
      };
      const kind = span.name.split(' ')[0] ?? '';
      const first = firsts.get(kind) ?? {};
      if (!firsts.has(kind)) firsts.set(kind, values);
      const own = Object.entries(values).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(first[key]));
      const without = Object.keys(first).filter((key) => !(key in values));
      lines.push(...rows({ ...Object.fromEntries(own), ...(without.length > 0 ? { without } : {}) }, place));
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`spans-${name}.txt`);
  });

  it('holds what was said only on request', () => {
    const silent = JSON.stringify(write(fixtureInputs(), false));
    for (const words of ['nightly', 'web/app', '88213', '2 jobs', 'pod not found', 'workflow argo', 'read decisions'])
      expect(silent).not.toContain(words);
  });
});
