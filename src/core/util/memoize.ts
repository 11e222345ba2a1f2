/** Returns a function that makes a value again only if one of its dependencies has changed since the last call. */
export function memoize<Value>(): (of: readonly unknown[], make: () => Value) => Value {
  let last: { readonly of: readonly unknown[]; readonly value: Value } | undefined;
  return (of, make) => {
    if (last?.of.length !== of.length || of.some((part, index) => part !== last?.of[index]))
      last = { of, value: make() };
    return last.value;
  };
}
