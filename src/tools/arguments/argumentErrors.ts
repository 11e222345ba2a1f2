// Puts the errors of a schema check into words for a model.

import type { ErrorObject } from 'ajv';
import { cut } from '../../core/util/cut';

/** The maximum number of errors that are examined. Further ones only repeat the same mistakes. */
const MAX_ERRORS = 500;
/** The maximum length of a value that is shown to the model, in characters. */
const MAX_SHOWN = 60;

/** Returns each mistake with the path of its argument: `labels.0: must be string. (given: 5)`. */
export function wordErrors(errors: readonly ErrorObject[]): readonly string[] {
  return [...new Set(telling(errors.slice(0, MAX_ERRORS)).map(word))];
}

/**
 * Removes errors that repeat others. The error of a whole choice (`anyOf`) is removed if its branches explain the
 * mistake. The errors of the branches are removed if each only asks for another type or value.
 */
function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  const isOf = (error: ErrorObject, choice: ErrorObject) =>
    error !== choice && error.schemaPath.startsWith(`${choice.schemaPath}/`);
  const flat = new Set(
    choices.filter((choice) =>
      errors.every(
        (error) => !isOf(error, choice) || (error.instancePath === choice.instancePath && PLAIN.has(error.keyword)),
      ),
    ),
  );
  const helpful = errors.filter(
    (error) =>
      error.keyword !== 'if' &&
      !choices.some((choice) => isOf(error, choice) && flat.has(choice)) &&
      !(choices.includes(error) && !flat.has(error) && errors.some((other) => isOf(other, error))),
  );
  return helpful.length > 0 ? helpful : errors;
}

const PLAIN: ReadonlySet<string> = new Set(['type', 'enum', 'const']);

function word(error: ErrorObject): string {
  const { params } = error as { params: { readonly [name: string]: unknown } };
  const path = error.instancePath.split('/').slice(1).map(unescaped);
  const at = (...more: unknown[]) => [...path, ...more].map((part) => cut(String(part), MAX_SHOWN)).join('.');
  const where = path.length === 0 ? 'the object' : at();
  const given = path.length === 0 ? '' : ` (given: ${show(error.data)})`;
  switch (error.keyword) {
    case 'required':
      return `${at(params.missingProperty)}: is required, but missing.`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${at(params.additionalProperty ?? params.unevaluatedProperty)}: there is no such argument.`;
    case 'false schema':
      return `${where}: there is no such argument.${given}`;
    case 'type':
      return `${where}: must be ${[params.type].flat().join(' or ')}.${given}`;
    case 'enum':
      return `${where}: must be one of ${cut((params.allowedValues as unknown[]).map(show).join(', '), 200)}.${given}`;
    case 'const':
      return `${where}: must be ${show(params.allowedValue)}.${given}`;
    case 'format':
      return `${where}: must be a ${params.format}${FORMATS[String(params.format)] ?? ''}.${given}`;
    case 'pattern':
      return `${where}: must match the pattern ${cut(String(params.pattern), 100)}.${given}`;
    case 'anyOf':
    case 'oneOf':
      return `${where}: must be ${choicesOf(error)}.${given}`;
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

function choicesOf(error: ErrorObject): string {
  const branches = (Array.isArray(error.schema) ? error.schema : []) as {
    type?: unknown;
    enum?: unknown;
    const?: unknown;
  }[];
  const words = branches.map((branch) => {
    if (Array.isArray(branch?.enum)) return `one of ${branch.enum.map(show).join(', ')}`;
    if (branch?.const !== undefined) return show(branch.const);
    return [branch?.type ?? []].flat().join(' or ');
  });
  const exactly = error.keyword === 'oneOf' ? 'exactly one of: ' : '';
  return (
    cut(exactly + [...new Set(words.filter(Boolean))].join(' or '), 200) || 'one of the forms that its schema lists'
  );
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function show(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value), MAX_SHOWN);
}
