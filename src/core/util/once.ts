/**
 * Returns a function that makes a value at its first call and keeps it. A schema takes a hundredth of a millisecond for
 * each of its parts, and a new window doesn't need most of them.
 */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly it: Made } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
