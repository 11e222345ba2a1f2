/**
 * Returns a function that remembers its last value. It makes a new value only if a dependency has changed since the
 * last call.
 */
export function memoize<Value>(): (of: readonly unknown[], make: () => Value) => Value {
  let last: { readonly of: readonly unknown[]; readonly value: Value } | undefined;
  return (of, make) => {
    if (last?.of.length !== of.length || of.some((part, index) => part !== last?.of[index]))
      last = { of, value: make() };
    return last.value;
  };
}
