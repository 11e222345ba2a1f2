import * as z from 'zod/mini';
import { l10n } from '../../core/util/l10n';
import { isObject, parseJson } from '../../core/util/objects';
import { type DefinedServer, type Recipient, recipientOf } from './definition';
import { ServerFailure } from './failure';

/** The definition of an `${input:id}`. */
export interface InputDefinition {
  readonly id: string;
  readonly type: 'promptString' | 'pickString';
  readonly description: string;
  readonly fallback?: string;
  readonly password: boolean;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** The storage of the answers: VS Code's secret storage. */
interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** Keys of secret storage are shared with the rest of the extension. */
const PREFIX = 'mcp.input:';
/** Secret storage can't be listed, so the keys are kept in it too. */
const KEYS = 'mcp.inputs';
/** Before an answer's key: the servers that have it, each as the id of its {@link Recipient}, a space and its name. */
const HOLDERS = 'mcp.holders:';
const listSchema = z.array(z.string());

/** Finds an input among those of an `mcp.json`. */
export function findInput(inputs: readonly unknown[], id: string): InputDefinition | undefined {
  const raw = inputs.filter(isObject).find((input) => input.id === id);
  if (!raw || (raw.type !== 'promptString' && raw.type !== 'pickString')) return undefined;
  const options = (Array.isArray(raw.options) ? raw.options : []).flatMap((option: unknown) => {
    if (typeof option === 'string') return [{ label: option, value: option }];
    if (isObject(option) && typeof option.value === 'string')
      return [{ label: String(option.label ?? option.value), value: option.value }];
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

function keyOf(file: string, id: string): string {
  return `${PREFIX}${file}#${id}`;
}

function namesOf(holders: readonly string[]): readonly string[] {
  return [...new Set(holders.map((holder) => holder.slice(holder.indexOf(' ') + 1)))];
}

/** The questions to the user. */
interface AskInput {
  /** Resolves with undefined if the user gives no answer. */
  answer(input: InputDefinition, server: string): Promise<string | undefined>;
  /**
   * Asks whether another server may have an answer that was given before.
   * @param others names of the servers that have it; the asking server's own name is among them if it was another
   * program or address then
   */
  share(input: InputDefinition, to: Recipient, others: readonly string[]): Promise<boolean>;
}

/** A server that asks for an input, with the file that defines it. */
type InputAsker = Pick<DefinedServer, 'file' | 'inputs' | 'name' | 'value' | 'folder'>;

/**
 * Asks for inputs once and keeps the answers in secret storage. Questions come one after the other. An answer belongs
 * to the server that it was given for. If another server asks for it, or the same server after its program or address
 * changed, somebody else may have edited the file: the user decides whether it gets the answer.
 */
export class InputStore {
  readonly #secrets: Secrets;
  readonly #ask: AskInput;
  readonly #learn: (secret: string) => void;
  #queue: Promise<unknown> = Promise.resolve();

  /** @param learn gets to know every answer that was asked for as a password */
  constructor(secrets: Secrets, ask: AskInput, learn: (secret: string) => void) {
    this.#learn = learn;
    this.#secrets = secrets;
    this.#ask = ask;
  }

  /**
   * The answer for an input of the file, asked for if it isn't known. Rejects with a {@link ServerFailure} if there is
   * none.
   */
  value(from: InputAsker, id: string): Promise<string> {
    return this.#inTurn(async () => {
      const input = findInput(from.inputs, id);
      if (!input)
        throw new ServerFailure(
          l10n.t(
            'Its mcp.json uses {0}, but has no input of that id and type promptString or pickString.',
            `\${input:${id}}`,
          ),
        );
      const key = keyOf(from.file, id);
      const kept = await this.#secrets.get(key);
      if (kept !== undefined && input.password) this.#learn(kept);
      const holders = await this.#list(`${HOLDERS}${key}`);
      const to = recipientOf(from);
      const holder = `${to.id} ${to.name}`;
      if (kept !== undefined && holders.includes(holder)) return kept;
      if (kept !== undefined && !(await this.#ask.share(input, to, namesOf(holders))))
        throw new ServerFailure(
          l10n.t(
            "It needs the input “{0}”, and you didn't allow it to use the answer that you gave before. Retry asks again.",
            id,
          ),
        );
      const answer = kept ?? (await this.#ask.answer(input, from.name));
      if (answer === undefined)
        throw new ServerFailure(l10n.t("It needs the input “{0}”, which you didn't give. Retry asks again.", id));
      if (input.password) this.#learn(answer);
      await this.#secrets.store(key, answer);
      await this.#add(`${HOLDERS}${key}`, holder);
      await this.#add(KEYS, key);
      return answer;
    });
  }

  /**
   * Learns the passwords that were answered in an earlier session: a server that runs on its known tools hasn't
   * asked for them yet.
   */
  learnKept(asking: readonly Pick<InputAsker, 'file' | 'inputs'>[]): Promise<void> {
    const keys = asking.flatMap(({ file, inputs }) =>
      inputs
        .filter(isObject)
        .flatMap(({ id }) => (findInput(inputs, String(id))?.password ? [keyOf(file, String(id))] : [])),
    );
    return this.#inTurn(async () => {
      for (const key of new Set(keys)) {
        const kept = await this.#secrets.get(key);
        if (kept !== undefined) this.#learn(kept);
      }
    });
  }

  /** Every answer that is kept: to take them out of what leaves the window. */
  kept(): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const answers = await Promise.all((await this.#list(KEYS)).map((key) => this.#secrets.get(key)));
      return answers.filter((answer) => answer !== undefined);
    });
  }

  /** Forgets every answer; returns how many there were. */
  forget(): Promise<number> {
    return this.#inTurn(async () => {
      const keys = await this.#list(KEYS);
      for (const key of keys) {
        await this.#secrets.delete(key);
        await this.#secrets.delete(`${HOLDERS}${key}`);
      }
      await this.#secrets.delete(KEYS);
      return keys.length;
    });
  }

  async #list(key: string): Promise<readonly string[]> {
    const read = listSchema.safeParse(parseJson((await this.#secrets.get(key)) ?? ''));
    return read.success ? read.data : [];
  }

  async #add(key: string, item: string): Promise<void> {
    await this.#secrets.store(key, JSON.stringify([...new Set([...(await this.#list(key)), item])]));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }
}
