/** What a service has cached. */
export declare function createPromptCache(now: () => number): object;
