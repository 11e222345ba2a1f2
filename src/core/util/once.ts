/**
 * Makes it when it is first asked for, and keeps it: a schema costs a hundredth of a millisecond for each of its parts, and a window
 * that opens has no need of most.
 */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly it: Made } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
