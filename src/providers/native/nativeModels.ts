import { CountRefused, ModelError, type ModelEvent, type ModelInfo, type ModelPort } from '../../core/ports';
import type { Service } from '../../core/settings/modelServices';
import type { KnownSecrets, Redact } from '../../core/util/knownSecrets';
import type { ModelAccess } from '../modelAccess';
import { chooseModels, type OfferedModel } from './chooseModels';
import { listModels, type ModelList } from './listModels';

/** The key and the address with which a service is called. */
export type NativeAccess = Pick<ModelAccess, 'apiKey' | 'baseUrl'>;

/** A service's address, or a message for the user if the configured address can't be used. */
export type Address = { readonly url: string } | { readonly problem: string };

/** Creates the port of a model. The port loads the SDK only at its first request. */
export type CreatePort = (model: OfferedModel, access: NativeAccess) => ModelPort;

/** The time for which a list of models is cached, in milliseconds. VS Code asks for the models at every turn. */
const LIST_MS = 60 * 60_000;
const FAILED_LIST_MS = 30_000;
/** The maximum time that the model picker waits for a list, in milliseconds. */
const LIST_TIMEOUT_MS = 5_000;

interface NativeModelsDeps {
  /** Called only if there is a key; windows without a key don't load the service's code. */
  readonly loadPorts: () => Promise<CreatePort>;
  readonly address: () => Address;
  readonly now: () => number;
}

/** The models of one service that are called with the user's own keys, and the port of each. */
export class NativeModels {
  readonly service: Service;
  readonly #deps: NativeModelsDeps;
  readonly #secrets: Pick<KnownSecrets, 'add' | 'redact'>;
  readonly #lists = new Map<string, { readonly until: number; readonly list: ModelList }>();
  readonly #offered = new Map<
    string,
    { readonly model: OfferedModel; readonly apiKey: string; readonly createPort: CreatePort }
  >();
  readonly #ports = new Map<string, ModelPort>();

  /** @param secrets gets every key that is used, and removes keys from error messages */
  constructor(service: Service, secrets: Pick<KnownSecrets, 'add' | 'redact'>, deps: NativeModelsDeps) {
    this.service = service;
    this.#secrets = secrets;
    this.#deps = deps;
  }

  get vendor(): string {
    return this.service.vendor;
  }

  /**
   * Returns the models that a key gives access to. Models are also offered if the service's address can't be used, and
   * their calls then fail with that reason; otherwise VS Code would silently use another model. The ids for a second
   * key end in its `number`, since VS Code needs unique ids.
   */
  async offer(apiKey: string, number: number): Promise<readonly (OfferedModel & { readonly offeredId: string })[]> {
    this.#secrets.add(apiKey);
    const address = this.#deps.address();
    const [list, createPort] = await Promise.all([
      'url' in address ? this.#list({ apiKey, baseUrl: address.url }) : ({ ok: false } as const),
      this.#deps.loadPorts(),
    ]);
    return chooseModels(this.service, list.ok ? list.models : undefined).map((model) => {
      const offeredId = number === 1 ? model.id : `${model.id}@${number}`;
      this.#offered.set(offeredId, { model, apiKey, createPort });
      return { ...model, offeredId };
    });
  }

  async test(
    apiKey: string,
  ): Promise<{ readonly ok: true; readonly models: number } | { readonly ok: false; readonly message: string }> {
    this.#secrets.add(apiKey);
    const address = this.#deps.address();
    if ('problem' in address) return { ok: false, message: address.problem };
    const access = { apiKey, baseUrl: address.url };
    this.#lists.delete(listKey(access));
    const list = await this.#list(access);
    return list.ok ? { ok: true, models: chooseModels(this.service, list.models).length } : list;
  }

  /**
   * Returns the port of an offered model; undefined for any other model. The port stays the same until the key, the
   * address or the listed limits change.
   */
  port(offeredId: string): ModelPort | undefined {
    const offered = this.#offered.get(offeredId);
    if (!offered) return undefined;
    const address = this.#deps.address();
    if ('problem' in address) return refusing(offered.model, { id: offeredId, vendor: this.vendor }, address.problem);
    const access = { apiKey: offered.apiKey, baseUrl: address.url };
    const { maxInputTokens, maxOutputTokens, retires } = offered.model;
    const key = [offeredId, listKey(access), maxInputTokens, maxOutputTokens, retires].join('\n');
    let port = this.#ports.get(key);
    if (!port) {
      const known = { id: offeredId, vendor: this.vendor, access: this.#ports.size };
      port = guard(offered.createPort(offered.model, access), known, this.#secrets.redact);
      this.#ports.set(key, port);
    }
    return port;
  }

  async #list(access: NativeAccess): Promise<ModelList> {
    const key = listKey(access);
    const known = this.#lists.get(key);
    if (known && this.#deps.now() < known.until) return known.list;
    const listed = await listModels(this.service.id, access, AbortSignal.timeout(LIST_TIMEOUT_MS));
    const list = listed.ok ? listed : { ...listed, message: this.#secrets.redact(listed.message) };
    this.#lists.set(key, { until: this.#deps.now() + (list.ok ? LIST_MS : FAILED_LIST_MS), list });
    return list;
  }
}

function listKey({ apiKey, baseUrl }: NativeAccess): string {
  return `${baseUrl}\n${apiKey}`;
}

/** Returns a port that refuses every request because the service's address can't be used. */
function refusing(
  { name, maxInputTokens }: OfferedModel,
  known: Pick<ModelInfo, 'id' | 'vendor'>,
  problem: string,
): ModelPort {
  return {
    info: { ...known, name, maxInputTokens, toolCalling: true, maxTools: Number.POSITIVE_INFINITY },
    // biome-ignore lint/correctness/useYield: it fails before it says anything
    async *send() {
      throw new ModelError(problem, { unanswered: true });
    },
    async countTokens() {
      throw new CountRefused(problem);
    },
  };
}

/** Returns a port with VS Code's name for the model. Secrets are removed from its errors. */
function guard(port: ModelPort, known: Pick<ModelInfo, 'id' | 'vendor' | 'access'>, redact: Redact): ModelPort {
  return {
    get info() {
      return { ...port.info, ...known };
    },
    async *send(request, signal): AsyncGenerator<ModelEvent> {
      try {
        yield* port.send(request, signal);
      } catch (error) {
        throw withoutSecrets(error, redact);
      }
    },
    countTokens: (text, signal) => port.countTokens(text, signal),
    ...(port.countDefinitions ? { countDefinitions: port.countDefinitions.bind(port) } : {}),
    ...(port.countToolPrompt ? { countToolPrompt: port.countToolPrompt.bind(port) } : {}),
    ...(port.countRequest ? { countRequest: port.countRequest.bind(port) } : {}),
  };
}

function withoutSecrets(error: unknown, redact: Redact): unknown {
  if (!(error instanceof Error)) return error;
  const shown = `${error.message}\n${error.stack}`;
  if (redact(shown) === shown) return error;
  const message = redact(error.message);
  if (!(error instanceof ModelError)) return new Error(message);
  const { replan, unanswered, refusal } = error;
  return new ModelError(message, { replan, unanswered, ...(refusal ? { refusal } : {}) });
}
