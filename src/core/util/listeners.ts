/** A list of listeners. If one throws, the others are still called, and the code that made the change continues. */
export class Listeners<Value> {
  readonly #all = new Set<(value: Value) => void>();

  /** Adds a listener. Returns a function that removes it. */
  add(listener: (value: Value) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(value: Value): void {
    for (const listener of [...this.#all]) {
      try {
        listener(value);
      } catch (error) {
        // The error is a bug, so it is thrown again for the handler of uncaught errors, which reports it.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  clear(): void {
    this.#all.clear();
  }
}
