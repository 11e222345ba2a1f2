/** Functions of other extensions, each under a unique name, in the order in which they were added. */
export class NamedHooks<Hook> {
  readonly #kind: string;
  readonly #hooks = new Map<string, Hook>();

  /** @param kind names the kind of function in error messages */
  constructor(kind: string) {
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#hooks.size === 0;
  }

  get all(): readonly (readonly [name: string, hook: Hook])[] {
    return [...this.#hooks];
  }

  /**
   * Adds a function. Returns a function that removes it.
   * @throws {Error} if the name is empty or taken
   */
  add(name: string, hook: Hook): () => void {
    if (name.trim() === '') throw new Error(`A ${this.#kind} needs a name.`);
    if (this.#hooks.has(name)) throw new Error(`There is already a ${this.#kind} "${name}".`);
    this.#hooks.set(name, hook);
    return () => {
      if (this.#hooks.get(name) === hook) this.#hooks.delete(name);
    };
  }
}
