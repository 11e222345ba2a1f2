import type { Redact } from '../../core/util/knownSecrets';
import { isObject } from '../../core/util/objects';

/**
 * The questions that a server asks the user in the middle of a call (MCP's elicitation, form mode). All texts are the
 * server's.
 */
export interface Form {
  readonly message: string;
  readonly fields: readonly Field[];
}

interface Named {
  /** The property's name in the answer. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

type TextField = Named & {
  readonly kind: 'text';
  readonly format: string | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  readonly fallback: string | undefined;
};
type NumberField = Named & {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly fallback: number | undefined;
};
export type Field =
  | TextField
  | NumberField
  | (Named & { readonly kind: 'flag'; readonly fallback: boolean | undefined })
  | (Named & { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly fallback: string | undefined })
  | (Named & {
      readonly kind: 'choices';
      readonly choices: readonly Choice[];
      readonly min: number;
      readonly max: number;
      readonly fallback: string[];
    });

/** The value of a field; undefined if an optional field is left out. */
export type FieldValue = string | number | boolean | string[] | undefined;

/** The user's answer, in the words of the protocol. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: { [name: string]: string | number | boolean | string[] } }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** The user's answer to a form; `end`: no more questions during this call. */
export type UserAnswer = FormAnswer | { readonly action: 'end' };

/** More than anybody answers. */
const MAX_FIELDS = 50;
const MAX_CHOICES = 500;

/** Reads a server's questions; undefined if they can't be asked. */
export function readForm(params: { readonly [key: string]: unknown }): Form | undefined {
  const { message, requestedSchema } = params;
  const { properties, required } = isObject(requestedSchema) ? requestedSchema : {};
  const names = isObject(properties) ? Object.keys(properties) : [];
  if (names.length > MAX_FIELDS) return undefined;
  const entries = isObject(properties) ? Object.entries(properties) : [];
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields: Field[] = [];
  for (const [name, schema] of entries) {
    const field = isObject(schema) ? readField(name, schema, needed.has(name)) : undefined;
    if (!field) return undefined;
    fields.push(field);
  }
  return { message: text(message) ?? '', fields };
}

/**
 * The form without any secret in what is shown. Names and values are what is answered with, and a default that is a
 * secret is none.
 */
export function hideInForm({ message, fields }: Form, redact: Redact): Form {
  const field = <Kind extends Field>(it: Kind): Kind => ({
    ...it,
    title: redact(it.title),
    description: redact(it.description),
    ...(it.kind === 'text' && it.fallback !== undefined && redact(it.fallback) !== it.fallback
      ? { fallback: undefined }
      : {}),
    ...('choices' in it ? { choices: it.choices.map(({ value, label }) => ({ value, label: redact(label) })) } : {}),
  });
  return { message: redact(message), fields: fields.map(field) };
}

function readField(name: string, schema: { readonly [key: string]: unknown }, required: boolean): Field | undefined {
  const named = { name, title: text(schema.title) || name, description: text(schema.description) ?? '', required };
  const { type, default: fallback } = schema;
  if (type === 'boolean')
    return { ...named, kind: 'flag', fallback: typeof fallback === 'boolean' ? fallback : undefined };
  if (type === 'number' || type === 'integer')
    return {
      ...named,
      kind: 'number',
      integer: type === 'integer',
      minimum: number(schema.minimum) ?? Number.NEGATIVE_INFINITY,
      maximum: number(schema.maximum) ?? Number.POSITIVE_INFINITY,
      fallback: number(fallback),
    };
  if (type === 'array') {
    const choices = isObject(schema.items) ? choicesOf(schema.items) : undefined;
    const given: unknown[] = Array.isArray(fallback) ? fallback : [];
    return (
      choices && {
        ...named,
        kind: 'choices',
        choices,
        min: number(schema.minItems) ?? 0,
        max: number(schema.maxItems) ?? Number.POSITIVE_INFINITY,
        fallback: choices.map(({ value }) => value).filter((value) => given.includes(value)),
      }
    );
  }
  if (type !== 'string') return undefined;
  const choices = choicesOf(schema);
  if (choices)
    return { ...named, kind: 'choice', choices, fallback: choices.find(({ value }) => value === fallback)?.value };
  return {
    ...named,
    kind: 'text',
    format: text(schema.format),
    minLength: number(schema.minLength) ?? 0,
    maxLength: number(schema.maxLength) ?? Number.POSITIVE_INFINITY,
    fallback: text(fallback),
  };
}

/**
 * In the three forms that the protocol has known: `enum` with `enumNames`, and titled constants in `oneOf` or
 * `anyOf`.
 */
function choicesOf(schema: { readonly [key: string]: unknown }): readonly Choice[] | undefined {
  const titled = schema.oneOf ?? schema.anyOf;
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  const given = Array.isArray(titled)
    ? titled.filter(isObject).map((choice) => [choice.const, choice.title])
    : Array.isArray(schema.enum)
      ? schema.enum.map((value, index) => [value, names[index]])
      : undefined;
  if (!given || given.length > MAX_CHOICES) return undefined;
  return given.flatMap(([value, label]) => (typeof value === 'string' ? [{ value, label: text(label) || value }] : []));
}

/** Why a field can't hold what was put into it; `limit` is what it had to keep to. */
export interface Problem {
  readonly what:
    | 'missing'
    | 'number'
    | 'whole'
    | 'below'
    | 'above'
    | 'short'
    | 'long'
    | 'email'
    | 'uri'
    | 'date'
    | 'date-time'
    | 'few'
    | 'many';
  readonly limit?: number;
}

/** Why the typed text is no valid number; undefined if it is one. */
export function problemOfNumber(
  { integer, minimum, maximum, required }: NumberField,
  typed: string,
): Problem | undefined {
  if (typed.trim() === '') return required ? { what: 'missing' } : undefined;
  const value = Number(typed);
  if (!Number.isFinite(value)) return { what: 'number' };
  if (integer && !Number.isInteger(value)) return { what: 'whole' };
  if (value < minimum) return { what: 'below', limit: minimum };
  return value > maximum ? { what: 'above', limit: maximum } : undefined;
}

/** Why the typed text is not valid; undefined if it is. An optional field may be left empty: then it is left out. */
export function problemOfText(
  { format, minLength, maxLength, required }: TextField,
  typed: string,
): Problem | undefined {
  if (typed === '') return required && (minLength > 0 || format !== undefined) ? { what: 'missing' } : undefined;
  if (typed.length < minLength) return { what: 'short', limit: minLength };
  if (typed.length > maxLength) return { what: 'long', limit: maxLength };
  switch (format) {
    case 'email': {
      const at = typed.lastIndexOf('@');
      return at > 0 && at < typed.length - 1 && !typed.includes(' ') ? undefined : { what: format };
    }
    case 'uri':
      return URL.canParse(typed) ? undefined : { what: format };
    case 'date':
      return typed.length === 10 && !Number.isNaN(Date.parse(`${typed}T00:00:00Z`)) ? undefined : { what: format };
    case 'date-time':
      return typed.includes('T') && !Number.isNaN(Date.parse(typed)) ? undefined : { what: format };
    default:
      return undefined;
  }
}

/** Why that many choices are not valid; undefined if they are. */
export function problemOfCount(
  { min, max }: { readonly min: number; readonly max: number },
  chosen: number,
): Problem | undefined {
  if (chosen < min) return { what: 'few', limit: min };
  return chosen > max ? { what: 'many', limit: max } : undefined;
}

/** Asks for one field after the other; `cancel` ends the form. */
export async function fillForm(
  form: Form,
  ask: (field: Field, step: number) => Promise<FieldValue | 'cancel'>,
): Promise<FormAnswer> {
  const content: [string, Exclude<FieldValue, undefined>][] = [];
  for (const [index, field] of form.fields.entries()) {
    const value = await ask(field, index + 1);
    if (value === 'cancel') return { action: 'cancel' };
    if (value !== undefined) content.push([field.name, value]);
  }
  return { action: 'accept', content: Object.fromEntries(content) };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
