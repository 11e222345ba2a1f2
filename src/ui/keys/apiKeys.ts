import * as vscode from 'vscode';
import { SERVICES, type ServiceId } from '../../core/settings/modelServices';

/** A key and its source. It is sent only to its own service. */
export interface ApiKey {
  readonly value: string;
  readonly from: 'stored' | 'environment';
}

/** The user's keys, from VS Code's secret storage, otherwise from the environment. */
export class ApiKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #environment: { readonly [name: string]: string | undefined };
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;

  /** Fires in every window when a key is set or removed in any window. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, environment: { readonly [name: string]: string | undefined }) {
    this.#secrets = secrets;
    this.#environment = environment;
    this.#listening = secrets.onDidChange(() => this.#changed.fire());
  }

  /** Returns the key of a service; undefined if there is none. */
  async get(service: ServiceId): Promise<ApiKey | undefined> {
    const stored = await this.#secrets.get(slot(service));
    if (stored) return { value: stored, from: 'stored' };
    const value = this.#environment[SERVICES[service].variable]?.trim();
    return value ? { value, from: 'environment' } : undefined;
  }

  /** Returns all keys, so that they can be removed from data that leaves the window. */
  async all(): Promise<readonly string[]> {
    const services = Object.values(SERVICES);
    const stored = await Promise.all(services.map(({ id }) => this.#secrets.get(slot(id))));
    return [...stored, ...services.map(({ variable }) => this.#environment[variable]?.trim())].filter(
      (key) => key !== undefined,
    );
  }

  async set(service: ServiceId, key: string): Promise<void> {
    await this.#secrets.store(slot(service), key);
  }

  async remove(service: ServiceId): Promise<void> {
    await this.#secrets.delete(slot(service));
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}

function slot(service: ServiceId): string {
  return `apiKey.${service}`;
}
