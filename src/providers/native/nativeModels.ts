import { CountRefused, ModelError, type ModelEvent, type ModelInfo, type ModelPort } from '../../core/ports';
import type { Service } from '../../core/settings/services';
import type { KnownSecrets, Redact } from '../../core/util/knownSecrets';
import { chooseModels, type OfferedModel } from './chooseModels';
import { listModels, type ModelList } from './listModels';

/** What it takes to ask a service. */
export interface NativeAccess {
  readonly apiKey: string;
  readonly baseUrl: string;
}

/** Where a service is asked, or what is wrong with the address that is set, for the user. */
export type Address = { readonly url: string } | { readonly problem: string };

/** Makes the port of a model; it may load an SDK when it is first asked. */
export type CreatePort = (model: OfferedModel, access: NativeAccess) => ModelPort;

/** How long a list counts, in milliseconds: VS Code asks at every turn. */
const LIST_MS = 60 * 60_000;
const FAILED_LIST_MS = 30_000;
/** The longest that the picker waits for a list. */
const LIST_TIMEOUT_MS = 5_000;

/** The models of one service: which there are, and the port of each. */
export class NativeModels {
  readonly service: Service;
  readonly #loadPorts: () => Promise<CreatePort>;
  readonly #address: () => Address;
  readonly #now: () => number;
  readonly #secrets: Pick<KnownSecrets, 'add' | 'redact'>;
  readonly #lists = new Map<string, { readonly until: number; readonly list: ModelList }>();
  readonly #offered = new Map<
    string,
    { readonly model: OfferedModel; readonly apiKey: string; readonly createPort: CreatePort }
  >();
  readonly #ports = new Map<string, ModelPort>();

  /**
   * @param loadPorts is asked only once there is a key: without one, no window reads how a service is spoken to
   * @param secrets gets to know every key that is used, and takes it out of what fails
   */
  constructor(
    service: Service,
    loadPorts: () => Promise<CreatePort>,
    address: () => Address,
    now: () => number,
    secrets: Pick<KnownSecrets, 'add' | 'redact'>,
  ) {
    this.service = service;
    this.#secrets = secrets;
    this.#loadPorts = loadPorts;
    this.#address = address;
    this.#now = now;
  }

  /**
   * The models that a key gives access to. Where the service has no usable address they are offered as well, and say so when they
   * are asked: VS Code would have another model answer, without a word. Ids of further keys end in the key's `number`, since VS Code
   * wants them unique.
   */
  async offer(apiKey: string, number: number): Promise<readonly (OfferedModel & { readonly offeredId: string })[]> {
    this.#secrets.add(apiKey);
    const address = this.#address();
    const [list, createPort] = await Promise.all([
      'url' in address ? this.#list({ apiKey, baseUrl: address.url }) : ({ ok: false } as const),
      this.#loadPorts(),
    ]);
    return chooseModels(this.service, list.ok ? list.models : undefined).map((model) => {
      const offeredId = number === 1 ? model.id : `${model.id}@${number}`;
      this.#offered.set(offeredId, { model, apiKey, createPort });
      return { ...model, offeredId };
    });
  }

  /** Whether a key works, and with how many models. */
  async test(
    apiKey: string,
  ): Promise<{ readonly ok: true; readonly models: number } | { readonly ok: false; readonly message: string }> {
    this.#secrets.add(apiKey);
    const address = this.#address();
    if ('problem' in address) return { ok: false, message: address.problem };
    const access = { apiKey, baseUrl: address.url };
    this.#lists.delete(listKey(access));
    const list = await this.#list(access);
    return list.ok ? { ok: true, models: chooseModels(this.service, list.models).length } : list;
  }

  /** The port of a model that was offered; undefined for any other. The same as long as key and address are. */
  port(offeredId: string): ModelPort | undefined {
    const offered = this.#offered.get(offeredId);
    if (!offered) return undefined;
    const address = this.#address();
    if ('problem' in address)
      return refusing(offered.model, { id: offeredId, vendor: this.service.vendor }, address.problem);
    const access = { apiKey: offered.apiKey, baseUrl: address.url };
    const key = `${offeredId}\n${listKey(access)}`;
    let port = this.#ports.get(key);
    if (!port) {
      const known = { id: offeredId, vendor: this.service.vendor, access: this.#ports.size };
      port = guard(offered.createPort(offered.model, access), known, this.#secrets.redact);
      this.#ports.set(key, port);
    }
    return port;
  }

  async #list(access: NativeAccess): Promise<ModelList> {
    const key = listKey(access);
    const known = this.#lists.get(key);
    if (known && this.#now() < known.until) return known.list;
    const listed = await listModels(this.service.id, access, AbortSignal.timeout(LIST_TIMEOUT_MS));
    const list = listed.ok ? listed : { ...listed, message: this.#secrets.redact(listed.message) };
    this.#lists.set(key, { until: this.#now() + (list.ok ? LIST_MS : FAILED_LIST_MS), list });
    return list;
  }
}

function listKey({ apiKey, baseUrl }: NativeAccess): string {
  return `${baseUrl}\n${apiKey}`;
}

/** The port of a model that nobody can ask as long as its address is what it is. */
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

/** The port under the name that VS Code knows it by; whatever fails in it, no secret is told. */
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
    ...(port.countRequest ? { countRequest: port.countRequest.bind(port) } : {}),
  };
}

function withoutSecrets(error: unknown, redact: Redact): unknown {
  if (!(error instanceof Error) || redact(`${error.message}\n${error.stack}`) === `${error.message}\n${error.stack}`)
    return error;
  const message = redact(error.message);
  return error instanceof ModelError
    ? new ModelError(message, {
        replan: error.replan,
        unanswered: error.unanswered,
        ...(error.refusal ? { refusal: error.refusal } : {}),
      })
    : new Error(message);
}
