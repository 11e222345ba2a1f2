/** Returns the reason for which the Responses API refuses a request; undefined if the request is valid. */
export declare function refuse(
  body: unknown,
  options?: { readonly rejected?: readonly string[]; readonly searching?: boolean },
): { readonly message: string } | undefined;
