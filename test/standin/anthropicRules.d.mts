/** Returns the first error in a request in the service's words; undefined if the request is valid. */
export declare function refuse(
  body: unknown,
  options?: {
    readonly rejected?: readonly string[];
    readonly counting?: boolean;
    readonly searching?: boolean;
    readonly signed?: () => boolean;
  },
): string | undefined;
