/** Lets the extension host run waiting tasks between two pieces of long work. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
