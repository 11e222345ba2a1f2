import * as vscode from 'vscode';
import { NO_PINS, type Pins, type PinTarget, type PinValue, parsePins, withPin } from '../core/settings/pins';

const KEY = 'pins';

/** The user's pins, kept with the workspace. */
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

  async reset(): Promise<void> {
    await this.#replace(NO_PINS);
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
