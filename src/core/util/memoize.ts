/** Makes a value anew only where one of what it depends on is another one than the last time. */
export function memoize<Value>(): (of: readonly unknown[], make: () => Value) => Value {
  let last: { readonly of: readonly unknown[]; readonly value: Value } | undefined;
  return (of, make) => {
    if (last?.of.length !== of.length || of.some((part, index) => part !== last?.of[index]))
      last = { of, value: make() };
    return last.value;
  };
}
