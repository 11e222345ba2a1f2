import { isObject } from '../../src/core/util/objects';

/** Maximum number of characters that are shown of a text that differs. */
const SHOWN = 120;

/** The differences between two JSON values, one sentence each. The order of keys doesn't matter. */
export function differences(expected: unknown, actual: unknown, path = ''): readonly string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_, index) =>
      differences(expected[index], actual[index], `${path}[${index}]`),
    ).flat();
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.flatMap((key) => differences(expected[key], actual[key], path === '' ? key : `${path}.${key}`));
  }
  return Object.is(expected, actual) ? [] : [`${path}: recorded ${show(expected)}, sent ${show(actual)}`];
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
