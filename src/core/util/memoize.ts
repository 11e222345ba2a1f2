/** Returns a function that remembers its last value, and makes a new one only if a dependency has changed since. */
export function memoize<Value>(): (of: readonly unknown[], make: () => Value) => Value {
  let last: { readonly of: readonly unknown[]; readonly value: Value } | undefined;
  return (of, make) => {
    if (last?.of.length !== of.length || of.some((part, index) => part !== last?.of[index]))
      last = { of, value: make() };
    return last.value;
  };
}

/** Returns a function that makes a value for each key once. A WeakMap as `known` keeps no key in memory. */
export function memoizeBy<Key, Value>(
  make: (key: Key) => Value,
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown } = new Map<Key, Value>(),
): (key: Key) => Value {
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}
