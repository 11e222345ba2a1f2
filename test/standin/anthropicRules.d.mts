/** The first thing wrong with a request in the service's words; undefined where it takes it. */
export declare function refuse(
  body: unknown,
  options?: {
    readonly rejected?: readonly string[];
    readonly counting?: boolean;
    readonly searching?: boolean;
    readonly signed?: () => boolean;
  },
): string | undefined;
