/**
 * The JSON form of an OTLP trace: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. Ids are
 * hexadecimal, and 64-bit integers are strings.
 */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export const SPAN_KIND = { internal: 1, client: 3 } as const;
export const STATUS = { unset: 0, error: 2 } as const;

export interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events?: readonly SpanEvent[];
  readonly status: { readonly code: (typeof STATUS)[keyof typeof STATUS] };
}

/** Attributes by name. Undefined values are left out, and whole numbers become integers. */
export interface Values {
  readonly [key: string]: string | number | boolean | readonly string[] | undefined;
}

export function attributesOf(values: Values): KeyValue[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: NonNullable<Values[string]>): AnyValue {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    case 'object':
      return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
  }
}

/** Converts milliseconds to nanoseconds since the epoch. VS Code's clocks have a precision of microseconds at best. */
export function nanos(ms: number): string {
  return `${Math.round(Math.max(0, ms) * 1000)}000`;
}

/** Returns a random id with this number of bytes. */
export function newId(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, '0')).join('');
}
