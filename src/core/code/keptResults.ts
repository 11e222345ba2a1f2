/** Characters of one result, and of all in a window: the oldest go first. */
const MAX_EACH = 8_000_000;
const MAX_ALL = 32_000_000;

/** A result that was cut for the model, whole. */
interface Kept {
  readonly id: string;
  /** The tool that gave it, or the title of the script. */
  readonly of: string;
  readonly text: string;
}

/** The results that were cut for one chat, for that chat alone. */
export interface KeptOfChat {
  /** Keeps a text and returns its name; undefined if it is too long to be kept. */
  keep(of: string, text: string): string | undefined;
  get(id: string): Kept | undefined;
  list(): readonly Kept[];
}

/**
 * Results that were cut for a model, whole, so that a later script can read them. In memory alone: not in the
 * ledger, an export or a reload. A chat sees its own.
 */
export class KeptResults {
  readonly #kept: { readonly chat: string; readonly kept: Kept }[] = [];
  readonly #counts = new Map<string, number>();
  #chars = 0;

  of(chat: string): KeptOfChat {
    const own = () => this.#kept.filter((entry) => entry.chat === chat).map((entry) => entry.kept);
    return {
      keep: (of, text) => this.#keep(chat, of, text),
      get: (id) => own().find((kept) => kept.id === id),
      list: own,
    };
  }

  #keep(chat: string, of: string, text: string): string | undefined {
    if (text.length > MAX_EACH) return undefined;
    const count = (this.#counts.get(chat) ?? 0) + 1;
    this.#counts.set(chat, count);
    const id = `r${count}`;
    this.#kept.push({ chat, kept: { id, of, text } });
    this.#chars += text.length;
    while (this.#chars > MAX_ALL) this.#chars -= this.#kept.shift()?.kept.text.length ?? 0;
    return id;
  }
}
