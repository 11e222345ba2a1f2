/** Why the Responses API would refuse a request; undefined where it wouldn't. */
export declare function refuse(
  body: unknown,
  options?: { readonly rejected?: readonly string[]; readonly searching?: boolean },
): { readonly message: string } | undefined;
