// Reads the forms with which servers ask the user for information, and checks the user's answers.

import { propertiesOf, requiredOf } from '../../../core/catalog/tool';
import type { Redact } from '../../../core/util/knownSecrets';
import { l10n } from '../../../core/util/l10n';
import { isObject } from '../../../core/util/objects';

/** A form with which a server asks the user during a call (MCP's elicitation). All texts come from the server. */
export interface Form {
  readonly message: string;
  readonly fields: readonly Field[];
}

interface NamedField {
  /** The name of the field's property in the answer. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
}

export interface FormChoice {
  readonly value: string;
  readonly label: string;
}

type TextField = NamedField & {
  readonly kind: 'text';
  readonly format: string | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  readonly fallback: string | undefined;
};
type NumberField = NamedField & {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly fallback: number | undefined;
};
export type Field =
  | TextField
  | NumberField
  | (NamedField & { readonly kind: 'flag'; readonly fallback: boolean | undefined })
  | (NamedField & {
      readonly kind: 'choice';
      readonly choices: readonly FormChoice[];
      readonly fallback: string | undefined;
    })
  | (NamedField & {
      readonly kind: 'choices';
      readonly choices: readonly FormChoice[];
      readonly min: number;
      readonly max: number;
      readonly fallback: string[];
    });

/** The value of a field; undefined if an optional field is left out. */
export type FieldValue = string | number | boolean | string[] | undefined;

/** The user's answer, as the protocol defines it. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: { [name: string]: string | number | boolean | string[] } }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** The user's answer to a form. `end` refuses all further questions during this call. */
export type UserAnswer = FormAnswer | { readonly action: 'end' };

const MAX_FIELDS = 50;
const MAX_CHOICES = 500;
/** The maximum length of a text's default value, in characters. An input box can't show a longer one. */
const MAX_DEFAULT = 10_000;

/** Reads a server's form; undefined if it can't be shown. */
export function readForm(params: { readonly [key: string]: unknown }): Form | undefined {
  const { message, requestedSchema } = params;
  const entries = Object.entries(propertiesOf(requestedSchema));
  if (entries.length > MAX_FIELDS) return undefined;
  const needed = requiredOf(requestedSchema);
  const fields: Field[] = [];
  for (const [name, schema] of entries) {
    const field = isObject(schema) ? readField(name, schema, needed.has(name)) : undefined;
    if (!field) return undefined;
    fields.push(field);
  }
  return { message: text(message) ?? '', fields };
}

/**
 * Returns a form without secrets in the displayed texts. Field names and values stay, since they are part of the
 * answer. A default value that contains a secret is removed.
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
    fallback: typeof fallback === 'string' && fallback.length <= MAX_DEFAULT ? fallback : undefined,
  };
}

/**
 * Reads a field's choices in any of the protocol's three forms: `enum` with `enumNames`, or titled constants in `oneOf`
 * or `anyOf`.
 */
function choicesOf(schema: { readonly [key: string]: unknown }): readonly FormChoice[] | undefined {
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

/** Returns why a text isn't a valid number, as a sentence for the user; undefined if it is one. */
export function problemOfNumber(
  { integer, minimum, maximum, required }: NumberField,
  typed: string,
): string | undefined {
  if (typed.trim() === '') return required ? l10n.t('A value is required.') : undefined;
  const value = Number(typed);
  if (!Number.isFinite(value)) return l10n.t('It must be a number.');
  if (integer && !Number.isInteger(value)) return l10n.t('It must be a whole number.');
  if (value < minimum) return l10n.t('It must be {0} or more.', minimum);
  return value > maximum ? l10n.t('It must be {0} or less.', maximum) : undefined;
}

/** Returns why a text isn't valid, as a sentence for the user; undefined if it is. An optional field may be empty. */
export function problemOfText(
  { format, minLength, maxLength, required }: TextField,
  typed: string,
): string | undefined {
  if (typed === '')
    return required && (minLength > 0 || format !== undefined) ? l10n.t('A value is required.') : undefined;
  if (typed.length < minLength) return l10n.t('It must have {0} or more characters.', minLength);
  if (typed.length > maxLength) return l10n.t('It must have {0} or fewer characters.', maxLength);
  switch (format) {
    case 'email': {
      const at = typed.lastIndexOf('@');
      if (at > 0 && at < typed.length - 1 && !typed.includes(' ')) return undefined;
      return l10n.t('It must be an e-mail address.');
    }
    case 'uri':
      return URL.canParse(typed) ? undefined : l10n.t('It must be an address, as in {0}.', 'https://example.com');
    case 'date':
      if (typed.length === 10 && !Number.isNaN(Date.parse(`${typed}T00:00:00Z`))) return undefined;
      return l10n.t('It must be a date, as in {0}.', '2026-01-31');
    case 'date-time':
      if (typed.includes('T') && !Number.isNaN(Date.parse(typed))) return undefined;
      return l10n.t('It must be a time, as in {0}.', '2026-01-31T12:00:00Z');
    default:
      return undefined;
  }
}

/** Returns why a number of choices isn't valid, as a sentence for the user; undefined if it is. */
export function problemOfCount(
  { min, max }: { readonly min: number; readonly max: number },
  chosen: number,
): string | undefined {
  if (chosen < min) return l10n.t('Choose {0} or more.', min);
  return chosen > max ? l10n.t('Choose {0} or fewer.', max) : undefined;
}

/** Asks for one field after another. The answer null ends the form. */
export async function fillForm(
  form: Form,
  ask: (field: Field, step: number) => Promise<FieldValue | null>,
): Promise<FormAnswer> {
  const content: [string, Exclude<FieldValue, undefined>][] = [];
  for (const [index, field] of form.fields.entries()) {
    const value = await ask(field, index + 1);
    if (value === null) return { action: 'cancel' };
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
