/** Those who hear of changes. One that fails keeps no other from hearing, and whoever made the change goes on. */
export class Listeners<Value> {
  readonly #all = new Set<(value: Value) => void>();

  /** Listens from now on; what is returned stops that. */
  add(listener: (value: Value) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(value: Value): void {
    for (const listener of [...this.#all]) {
      try {
        listener(value);
      } catch (error) {
        // A bug, which whoever looks after uncaught errors reports.
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
