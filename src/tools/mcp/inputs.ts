import { isObject } from '../../core/text/objects';
import { ServerFailure } from './failure';

/** What `${input:id}` asks the user for. */
export interface InputDefinition {
  readonly id: string;
  readonly type: 'promptString' | 'pickString';
  readonly description: string;
  readonly fallback?: string;
  readonly password: boolean;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** Where answers are kept; VS Code's secret storage. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** Keys of secret storage are shared with the rest of the extension. */
const PREFIX = 'mcp.input:';
/** Secret storage can't be listed, so the keys are kept in it too. */
const KEYS = 'mcp.inputs';

/** Finds an input among those of an `mcp.json`. */
export function findInput(inputs: readonly unknown[], id: string): InputDefinition | undefined {
  const raw = inputs.filter(isObject).find((input) => input.id === id);
  if (!raw || (raw.type !== 'promptString' && raw.type !== 'pickString')) return undefined;
  const options = (Array.isArray(raw.options) ? raw.options : []).flatMap((option: unknown) => {
    if (typeof option === 'string') return [{ label: option, value: option }];
    if (isObject(option) && typeof option.value === 'string') return [{ label: String(option.label ?? option.value), value: option.value }];
    return [];
  });
  return {
    id,
    type: raw.type,
    description: typeof raw.description === 'string' ? raw.description : id,
    fallback: typeof raw.default === 'string' ? raw.default : undefined,
    password: raw.password === true,
    options,
  };
}

/** Asks for inputs once and keeps the answers in secret storage. Questions come one after the other. */
export class InputStore {
  readonly #secrets: Secrets;
  readonly #ask: (input: InputDefinition, server: string) => Promise<string | undefined>;
  readonly #learn: (secret: string) => void;
  #queue: Promise<unknown> = Promise.resolve();

  /**
   * @param ask resolves with undefined where the user doesn't answer
   * @param learn gets to know every answer that was asked for as a password
   */
  constructor(
    secrets: Secrets,
    ask: (input: InputDefinition, server: string) => Promise<string | undefined>,
    learn: (secret: string) => void,
  ) {
    this.#learn = learn;
    this.#secrets = secrets;
    this.#ask = ask;
  }

  /** The answer for an input of the file, asked for if it isn't known. Rejects with a {@link ServerFailure} where there is none. */
  value(from: { readonly file: string; readonly inputs: readonly unknown[]; readonly name: string }, id: string): Promise<string> {
    return this.#inTurn(async () => {
      const input = findInput(from.inputs, id);
      if (!input)
        throw new ServerFailure(`Its mcp.json uses \${input:${id}}, but has no input of that id and type promptString or pickString.`);
      const key = `${PREFIX}${from.file}#${id}`;
      const kept = await this.#secrets.get(key);
      if (kept !== undefined) {
        if (input.password) this.#learn(kept);
        return kept;
      }
      const answer = await this.#ask(input, from.name);
      if (answer === undefined) throw new ServerFailure(`It needs the input “${id}”, which you haven't given. Retry asks again.`);
      if (input.password) this.#learn(answer);
      await this.#secrets.store(key, answer);
      await this.#secrets.store(KEYS, JSON.stringify([...new Set([...(await this.#keys()), key])]));
      return answer;
    });
  }

  /** Every answer that is kept: to take them out of what leaves the window. */
  kept(): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const answers = await Promise.all((await this.#keys()).map((key) => this.#secrets.get(key)));
      return answers.filter((answer) => answer !== undefined);
    });
  }

  /** Forgets every answer; returns how many there were. */
  forget(): Promise<number> {
    return this.#inTurn(async () => {
      const keys = await this.#keys();
      for (const key of keys) await this.#secrets.delete(key);
      await this.#secrets.delete(KEYS);
      return keys.length;
    });
  }

  async #keys(): Promise<readonly string[]> {
    return JSON.parse((await this.#secrets.get(KEYS)) ?? '[]');
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }
}
