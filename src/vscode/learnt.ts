import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Ledger } from '../core/ledger/ledger';
import type { Learnt } from '../core/search/learning/learning';
import type { ToolIndex } from '../core/search/toolIndex';
import { UseReader } from '../core/turn/learnFromUse';

const KEY = 'toolsearch.learnt';

const stored = z.object({
  uses: z.number(),
  tools: z.record(z.string(), z.array(z.tuple([z.string(), z.string(), z.number()]))),
});

/** What use taught in this workspace: kept in its storage on this machine, and in nothing that is exported. */
export class LearntFromUse {
  readonly #memento: vscode.Memento;
  readonly #index: ToolIndex;
  readonly #isOn: () => boolean;
  readonly #uses = new UseReader();

  constructor(memento: vscode.Memento, index: ToolIndex, isOn: () => boolean) {
    this.#memento = memento;
    this.#index = index;
    this.#isOn = isOn;
    this.apply();
  }

  /** Follows the setting: what is kept counts while it is on. */
  apply(): void {
    const kept = stored.safeParse(this.#memento.get(KEY));
    this.#index.learning.restore(this.#isOn() && kept.success ? (kept.data as Learnt) : undefined);
  }

  /** Learns from what happens from now on. */
  watch(ledger: Ledger): vscode.Disposable {
    this.#uses.skip(ledger.events);
    const stop = ledger.onDidChange(() => {
      const uses = this.#uses.read(ledger.events);
      if (uses.length === 0 || !this.#isOn()) return;
      for (const { tool, query } of uses) this.#index.learn(tool, query);
      void this.#memento.update(KEY, this.#index.learning.learnt);
    });
    return { dispose: stop };
  }

  /** Forgets everything; says of how many tools something was known. */
  async forget(): Promise<number> {
    const count = Object.keys(this.#index.learning.learnt.tools).length;
    this.#index.learning.restore();
    await this.#memento.update(KEY, undefined);
    return count;
  }
}
