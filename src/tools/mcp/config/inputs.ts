// The answers to `${input:…}` in `mcp.json`: asks the user, stores them and decides which servers get them.

import * as z from 'zod/mini';
import { l10n } from '../../../core/util/l10n';
import { isObject, parseJson } from '../../../core/util/objects';
import { once } from '../../../core/util/once';
import { type DefinedServer, fileOf, type Recipient, recipientOf } from './definition';
import type { SecretStore } from './secretStore';
import { ServerFailure } from './serverFailure';

export interface InputDefinition {
  readonly type: 'promptString' | 'pickString';
  readonly description: string;
  readonly fallback?: string;
  readonly password: boolean;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** The prefix of the answers' keys, since the extension stores other secrets too. */
const PREFIX = 'mcp.input:';
/**
 * The prefix of the keys under which an answer's holders are stored: the servers that have the answer. A holder is the
 * id of the server's {@link Recipient}, a space and the server's name.
 */
const HOLDERS = 'mcp.holders:';
const listSchema = once(() => z.array(z.string()));

export function findInput(inputs: readonly unknown[], id: string): InputDefinition | undefined {
  const raw = inputs.filter(isObject).find((input) => input.id === id);
  if (!raw || (raw.type !== 'promptString' && raw.type !== 'pickString')) return undefined;
  const options = (Array.isArray(raw.options) ? raw.options : []).flatMap((option: unknown) => {
    const { value, label } = isObject(option) ? option : { value: option };
    return typeof value === 'string' ? [{ label: String(label ?? value), value }] : [];
  });
  return {
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

/** Functions that ask the user. */
interface AskInput {
  /** Resolves with undefined if the user gives no answer. */
  answer(input: InputDefinition, server: string): Promise<string | undefined>;
  /**
   * Asks whether a further server may have an earlier answer.
   * @param others names of the servers that already have the answer; the server's own name is among them if its program
   * or address has changed since
   */
  share(input: InputDefinition, to: Recipient, others: readonly string[]): Promise<boolean>;
}

/** A server that needs an input, and the file that defines the input. */
type InputAsker = Pick<DefinedServer, 'file' | 'label' | 'inputs' | 'name' | 'value' | 'folder'>;

/**
 * Asks the user for inputs and keeps the answers in secret storage. Questions are asked one at a time. An answer is for
 * one server. The user is asked again if another server needs the same input, or if the server's program or address has
 * changed, since the change may not be the user's own.
 */
export class InputStore {
  readonly #secrets: SecretStore;
  readonly #ask: AskInput;
  readonly #learn: (secret: string) => void;
  #queue: Promise<unknown> = Promise.resolve();

  /** @param learn called with every answer that is a password */
  constructor(secrets: SecretStore, ask: AskInput, learn: (secret: string) => void) {
    this.#learn = learn;
    this.#secrets = secrets;
    this.#ask = ask;
  }

  /** Returns the answer for an input, and asks if it isn't known. Rejects with a {@link ServerFailure} without one. */
  value(from: InputAsker, id: string): Promise<string> {
    return this.#inTurn(async () => {
      const input = findInput(from.inputs, id);
      if (!input)
        throw new ServerFailure(
          l10n.t(
            'Its entry in {0} uses {1}, but the file defines no input that has this id and the type promptString or pickString.',
            fileOf(from),
            `\${input:${id}}`,
          ),
        );
      const key = keyOf(from.file, id);
      const kept = await this.#secrets.get(key);
      if (kept !== undefined && input.password) this.#learn(kept);
      const holders = await this.#holdersOf(key);
      const to = recipientOf(from);
      const holder = `${to.id} ${to.name}`;
      if (kept !== undefined && holders.includes(holder)) return kept;
      if (kept !== undefined && !(await this.#ask.share(input, to, namesOf(holders))))
        throw new ServerFailure(
          l10n.t('It needs the input “{0}”, but you didn’t let it use your earlier answer. Retry asks again.', id),
        );
      const answer = kept ?? (await this.#ask.answer(input, from.name));
      if (answer === undefined)
        throw new ServerFailure(l10n.t("It needs the input “{0}”, which you didn't give. Retry asks again.", id));
      if (input.password) this.#learn(answer);
      await this.#secrets.store(key, answer);
      await this.#secrets.store(`${HOLDERS}${key}`, JSON.stringify([...new Set([...holders, holder])]));
      return answer;
    });
  }

  /** Learns the passwords of earlier sessions, which nothing else reads before their servers start. */
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

  /** Returns all stored answers, so that they can be removed from data that leaves the window. */
  kept(): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const answers = await Promise.all((await this.#keys()).map((key) => this.#secrets.get(key)));
      return answers.filter((answer) => answer !== undefined);
    });
  }

  /** Deletes all answers and returns their number. */
  forget(): Promise<number> {
    return this.#inTurn(async () => {
      const keys = await this.#keys();
      for (const key of keys) {
        await this.#secrets.delete(key);
        await this.#secrets.delete(`${HOLDERS}${key}`);
      }
      return keys.length;
    });
  }

  async #keys(): Promise<readonly string[]> {
    return (await this.#secrets.keys()).filter((key) => key.startsWith(PREFIX));
  }

  async #holdersOf(key: string): Promise<readonly string[]> {
    const read = listSchema().safeParse(parseJson((await this.#secrets.get(`${HOLDERS}${key}`)) ?? ''));
    return read.success ? read.data : [];
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }
}
