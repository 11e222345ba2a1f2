/** A service's prompt cache. */
export declare function createPromptCache(now: () => number): object;
