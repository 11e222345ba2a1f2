/** Returns a function that remembers its last value, and makes a new one only if a dependency has changed since. */
export function memoize<Value>(): (of: readonly unknown[], make: () => Value) => Value {
  let last: { readonly of: readonly unknown[]; readonly value: Value } | undefined;
  return (of, make) => {
    if (last?.of.length !== of.length || of.some((part, index) => part !== last?.of[index]))
      last = { of, value: make() };
    return last.value;
  };
}
