/** Lets the extension host do what waits, between two pieces of long work. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
