import { createRequire } from 'node:module';
import * as semconv from '@opentelemetry/semantic-conventions/incubating';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../package.json';
import type { ViewInputs } from '../../../../src/inspector/protocol/inputs';
import type { KeyValue, OtlpSpan } from '../../../../src/inspector/sessionFile/otlp';
import { SEMCONV_VERSION, writeOtlp } from '../../../../src/inspector/sessionFile/writeOtlp';
import { fixtureInputs } from '../../../webview/fixture';
import { holds } from '../../property';
import { OPTIONS, sessions } from './sessions';

/** OpenTelemetry's own classes, generated from its published .proto files. */
const { opentelemetry } = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const Request = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

function write(inputs: ViewInputs, contents = true) {
  return JSON.parse([...writeOtlp(inputs, { ...OPTIONS, contents })].join(''));
}

function spansOf(document: ReturnType<typeof write>): OtlpSpan[] {
  return document.resourceSpans[0].scopeSpans[0].spans;
}

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

describe('a session in OTLP', () => {
  it('is what the published protocol says, to the last field', () => {
    holds(
      fc.property(sessions, fc.boolean(), (inputs, contents) => {
        const document = write(inputs, contents);
        expect(withoutEmpty(received(document))).toEqual(withoutEmpty(document));
        expect(
          Request.verify(Request.fromObject(withIds(document, (hex) => Buffer.from(hex, 'hex').toString('base64')))),
        ).toBeNull();
      }),
    );
  });

  it('uses only attributes of the named semantic conventions, and its own', () => {
    expect(manifest.devDependencies['@opentelemetry/semantic-conventions']).toBe(SEMCONV_VERSION);
    const known = new Set(
      Object.entries(semconv).flatMap(([name, value]) => (name.startsWith('ATTR_') ? [value] : [])),
    );
    holds(
      fc.property(sessions, (inputs) => {
        const document = write(inputs);
        const [resource] = document.resourceSpans;
        expect(resource.schemaUrl).toBe(`https://opentelemetry.io/schemas/${SEMCONV_VERSION}`);
        for (const { attributes, events = [] } of [resource.resource, ...spansOf(document)]) {
          for (const { key } of [...attributes, ...events.flatMap((event: OtlpSpan) => event.attributes)]) {
            expect(key.startsWith('toolsearch.') || known.has(key), key).toBe(true);
          }
        }
      }),
    );
  });

  it('has no attribute whose name is the beginning of another’s', () => {
    const names = new Set(spansOf(write(fixtureInputs())).flatMap((span) => span.attributes.map(({ key }) => key)));
    for (const name of names) expect([...names].filter((other) => other.startsWith(`${name}.`))).toEqual([]);
  });

  it('is a trace a turn, with model calls, searches and calls', () => {
    const spans = spansOf(write(fixtureInputs()));
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(3);
    const parents = { invoke_agent: undefined, chat: 'invoke_agent', execute_tool: 'chat' };
    for (const span of spans) {
      const parent = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
      const operation = valuesOf(span)['gen_ai.operation.name'] as keyof typeof parents;
      expect(parent && valuesOf(parent)['gen_ai.operation.name']).toBe(parents[operation]);
      expect(parent?.traceId ?? span.traceId).toBe(span.traceId);
      expect(span.name.startsWith(`${operation} `)).toBe(true);
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    }
    const third = spans.filter((span) => span.traceId === spans.at(-1)?.traceId).map((span) => span.name);
    expect(third.slice(0, 5)).toEqual([
      'invoke_agent toolsearch',
      'chat sonnet',
      'execute_tool search_tools',
      'chat sonnet',
      'execute_tool forge/list_pipeline_job',
    ]);
  });

  it('carries a model call’s figures, and how a failed call ended', () => {
    const spans = spansOf(write(fixtureInputs()));
    expect(valuesOf(spans.findLast((span) => span.name === 'chat sonnet') as OtlpSpan)).toMatchObject({
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'sonnet',
      'gen_ai.usage.input_tokens': '22052',
      'gen_ai.usage.output_tokens': '212',
      'gen_ai.usage.cache_read.input_tokens': '20900',
      'toolsearch.tokens.baseline': '62440',
      'toolsearch.certainty.baseline': 'estimated',
    });
    const failed = spans.find((span) => span.status.code === 2 && span.name === 'execute_tool harbour/logs_of_pod');
    expect(failed && valuesOf(failed)).toMatchObject({ 'error.type': 'failed', 'toolsearch.call.outcome': 'failed' });
  });

  it('holds what was said only on request', () => {
    expect(JSON.stringify(write(fixtureInputs()))).toContain('nightly pipeline');
    const silent = JSON.stringify(write(fixtureInputs(), false));
    for (const words of ['nightly', 'web/app', '88213', '2 jobs', 'pod not found', 'workflow argo', 'read decisions']) {
      expect(silent).not.toContain(words);
    }
  });
});
