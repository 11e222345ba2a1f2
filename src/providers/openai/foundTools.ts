import { isObject } from '../../core/util/objects';

/** A function found by the service's search. A function outside any namespace has its own name as namespace. */
interface FoundFunction {
  readonly name: string;
  readonly namespace: string;
}

/** Reads the found functions from a search's output. Other entries are left out. */
export function foundFunctions(tools: unknown): readonly FoundFunction[] {
  return objectsOf(tools).flatMap((tool) => {
    if (tool.type === 'namespace')
      return objectsOf(tool.tools).flatMap(({ name }) => functionOf(name, tool.name ?? name));
    return tool.type === 'function' ? functionOf(tool.name, tool.name) : [];
  });
}

function functionOf(name: unknown, namespace: unknown): readonly FoundFunction[] {
  return typeof name === 'string' && typeof namespace === 'string' ? [{ name, namespace }] : [];
}

function objectsOf(value: unknown): readonly { readonly [key: string]: unknown }[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
