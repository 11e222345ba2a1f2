import * as vscode from 'vscode';
import { NO_PINS, type Pins, type PinTarget, type PinValue, parsePins, withPin } from '../core/settings/pins';

const KEY = 'pins';

/** The user's pins, which are stored in the workspace. */
export class PinStore implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<Pins>();
  #pins: Pins;

  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#pins = parsePins(memento.get(KEY));
  }

  get current(): Pins {
    return this.#pins;
  }

  async set(target: PinTarget, pin: PinValue): Promise<void> {
    await this.#replace(withPin(this.#pins, target, pin));
  }

  /** Chooses a set of tools; undefined chooses all tools. */
  async choose(set: string | undefined): Promise<void> {
    const { tools, servers } = this.#pins;
    await this.#replace({ tools, servers, ...(set === undefined ? {} : { set }) });
  }

  /** Removes all pins. The chosen set stays. */
  async reset(): Promise<void> {
    this.#pins = { ...this.#pins, ...NO_PINS };
    await this.#replace(this.#pins);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #replace(pins: Pins): Promise<void> {
    this.#pins = pins;
    this.#changed.fire(pins);
    await this.#memento.update(KEY, pins);
  }
}
