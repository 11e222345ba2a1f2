/** Lets the extension host run waiting tasks between two parts of long work. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
