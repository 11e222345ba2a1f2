// Puts the errors of a schema check into words for a model.

import type { ErrorObject } from 'ajv';
import { cut } from '../../core/util/cut';
import { isObject } from '../../core/util/objects';

/** The maximum number of errors that are examined. Further ones only repeat the same mistakes. */
const MAX_ERRORS = 500;
/** The maximum length of a value that is shown to the model, in characters. */
const MAX_SHOWN = 60;
/** The maximum number of characters of mistakes of which one has to be mended. */
const MAX_EITHER = 300;

/** A mistake: an error, with other words for it if it joins those of a choice. */
interface Mistake {
  readonly error: ErrorObject;
  /** The types and values that a choice (`anyOf`, `oneOf`) allows, if its branches ask for nothing else. */
  readonly allowed?: readonly string[];
  readonly text?: string;
}

/** Returns each mistake with the path of its argument: `labels.0: must be string. (given: 5)`. */
export function wordErrors(errors: readonly ErrorObject[]): readonly string[] {
  const mistakes = errors.slice(0, MAX_ERRORS).reduce(addError, []);
  const telling = mistakes.filter(({ error }) => error.keyword !== 'if');
  return [...new Set((telling.length > 0 ? telling : mistakes).map(word))];
}

/** Adds an error. A choice comes after the errors of its branches, which are joined or of which the nearest one stays. */
function addError(before: readonly Mistake[], error: ErrorObject): readonly Mistake[] {
  const branches = error.keyword === 'anyOf' || error.keyword === 'oneOf' ? error.schema : undefined;
  const groups = new Map<string, Mistake[]>();
  const others: Mistake[] = [];
  for (const one of before) {
    const branch = Array.isArray(branches) ? branchOf(one.error, error, branches) : undefined;
    if (branch === undefined) others.push(one);
    else groups.set(branch, [...(groups.get(branch) ?? []), one]);
  }
  const inside = [...groups.values()].flat();
  if (inside.length === 0) return [...others, { error }];
  const isPlain = (one: Mistake) => allowedBy(one).length > 0;
  const isHere = (one: Mistake) => isPlain(one) && one.error.instancePath === error.instancePath;
  if (inside.every(isHere)) return [...others, { error, allowed: [...new Set(inside.flatMap(allowedBy))] }];
  // A branch for another type is the farthest, then one whose mark is another, such as `kind: "file"`.
  const farness = (group: readonly Mistake[]) =>
    1e6 * Number(group.some(isHere)) + 1e3 * group.filter(isPlain).length + group.length;
  const [nearest = [], ...farther] = [...groups.values()].toSorted((a, b) => farness(a) - farness(b));
  const alike = farther.filter((group) => nearest.length === 1 && farness(group) === farness(nearest)).flat();
  const text = cut([...nearest, ...alike].map(word).join(' Or '), MAX_EITHER);
  return [...others, ...(alike.length > 0 ? [{ error, text }] : nearest)];
}

/** Returns the branch of a choice that an error is in: its number, or `$ref` for those that are references. */
function branchOf(error: ErrorObject, choice: ErrorObject, branches: readonly unknown[]): string | undefined {
  if (!`${error.instancePath}/`.startsWith(`${choice.instancePath}/`)) return undefined;
  const [before = '', own] = error.schemaPath.split(`${choice.schemaPath}/`);
  if (before === '' && own !== undefined) return own.split('/')[0];
  // The path of an error in a reference begins at what it names.
  const around = choice.schemaPath.slice(0, -choice.keyword.length);
  const isBeside = error.schemaPath.startsWith(around);
  return !isBeside && branches.some((one) => isObject(one) && '$ref' in one) ? '$ref' : undefined;
}

/** Returns the types or values that an error asks for; none if it asks for something else. */
function allowedBy({ error: { keyword, params }, allowed }: Mistake): readonly string[] {
  if (allowed) return allowed;
  if (keyword === 'type') return [params.type].flat();
  if (keyword === 'const') return [show(params.allowedValue)];
  return keyword === 'enum' ? [`one of ${params.allowedValues.map(show).join(', ')}`] : [];
}

function word(mistake: Mistake): string {
  const { error, text } = mistake;
  if (text !== undefined) return text;
  const { params } = error as { params: { readonly [name: string]: unknown } };
  const path = error.instancePath.split('/').slice(1).map(unescaped);
  const at = (...more: unknown[]) => [...path, ...more].map((part) => cut(String(part), MAX_SHOWN)).join('.');
  const where = path.length === 0 ? 'the object' : at();
  const given = path.length === 0 ? '' : ` (given: ${show(error.data)})`;
  const wanted = allowedBy(mistake);
  if (wanted.length > 0) return `${where}: must be ${cut(wanted.join(' or '), 200)}.${given}`;
  switch (error.keyword) {
    case 'anyOf':
      return `${where}: must be one of the forms that its schema lists.${given}`;
    case 'oneOf':
      return `${where}: must be exactly one of the forms that its schema lists.${given}`;
    case 'required':
      return `${at(params.missingProperty)}: is required, but missing.`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${at(params.additionalProperty ?? params.unevaluatedProperty)}: there is no such argument.`;
    case 'false schema':
      return `${where}: there is no such argument.${given}`;
    case 'format':
      return `${where}: must be a ${params.format}${FORMATS[String(params.format)] ?? ''}.${given}`;
    case 'pattern':
      return `${where}: must match the pattern ${cut(String(params.pattern), 100)}.${given}`;
    default:
      return `${where}: ${error.message ?? `breaks ${error.keyword}`}.${given}`;
  }
}

/** An example for each format whose name doesn't explain it. */
const FORMATS: { readonly [format: string]: string } = {
  'date-time': ', as in "2026-01-31T12:00:00Z"',
  date: ', as in "2026-01-31"',
  time: ', as in "12:00:00Z"',
  duration: ', as in "P1DT12H"',
  uri: ', as in "https://example.com/page"',
  'json-pointer': ', as in "/a/b"',
};

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function show(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value), MAX_SHOWN);
}
