import { RUN_CODE } from '../catalog/modelNames';

/**
 * The maximum number of characters of one stored result, and of all stored results of a window. If the results together
 * exceed it, the oldest are dropped.
 */
const MAX_EACH = 8_000_000;
const MAX_ALL = 32_000_000;

/** The whole text of a result that was cut for the model. */
interface KeptText {
  readonly id: string;
  /** The tool that returned the result, or the title of the script. */
  readonly of: string;
  readonly text: string;
}

/** The whole results of one chat that were cut for its model. Only that chat can read them. */
export interface KeptOfChat {
  /** Stores a text and returns its name; undefined if the text is too long. */
  keep(of: string, text: string): string | undefined;
  get(id: string): KeptText | undefined;
  list(): readonly KeptText[];
}

/** Returns the code that reads the result that the name of a call means; undefined if it means none. */
export function readingOf(name: string, kept: KeptOfChat): string | undefined {
  const isScripted = /^results\b/.test(name);
  const id = kept.get(name)?.id ?? (isScripted ? (kept.list().at(-1)?.id ?? 'r1') : undefined);
  return id === undefined ? undefined : `await results.get("${id}")`;
}

/** Says how `run_code` reads the result that a name means; undefined if it means none. */
export function howToRead(name: string, kept: KeptOfChat | undefined, prefix = ''): string | undefined {
  const code = kept && readingOf(name, kept);
  return code && `${prefix}${RUN_CODE} reads what was kept: return ${code}`;
}

/**
 * Stores the whole results that were cut for a model, so that a later script can read them. They are in memory only:
 * not in the ledger or an export, and lost after a reload.
 */
export class KeptResults {
  readonly #kept: { readonly chat: string; readonly kept: KeptText }[] = [];
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
