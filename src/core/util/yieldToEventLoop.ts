/** Lets the extension host do what waits, between two pieces of long work. */
export const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Leaves the extension host to others for so many milliseconds. */
export const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
