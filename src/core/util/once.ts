/**
 * Returns a function that makes a value at its first call and then returns the same value. Used for schemas: each of
 * their parts takes a hundredth of a millisecond, and a new window doesn't need most of them.
 */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly it: Made } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
