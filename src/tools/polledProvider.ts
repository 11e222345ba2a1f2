import type { Catalog } from '../core/catalog/catalog';
import type { Diagnostic } from '../core/catalog/diagnostic';
import { every, pause } from '../core/util/timers';
import { CatalogStore } from './catalogStore';
import { LinkedResources } from './linkedResources';
import type { CachedTools, ToolProvider } from './toolProvider';

/** The interval at which VS Code's list of tools is read. VS Code has no event for changes. */
const POLL_MS = 2000;
/** The same while a question waits for servers. */
const WAIT_POLL_MS = 200;

/** The base of both providers of tools: it reads the catalog at intervals, and lets questions wait for servers. */
export abstract class PolledProvider implements ToolProvider {
  readonly linked = new LinkedResources();
  protected readonly living = new CatalogStore();
  protected cached: CachedTools = new Map();
  /** Ends the polling; undefined while it isn't running. */
  protected endPoll: (() => void) | undefined;
  /**
   * The servers for which a question has waited until its time limit. Later questions don't wait for them. If the empty
   * name is among them, later questions don't wait for servers whose names aren't known either.
   */
  protected readonly givenUp = new Set<string>();

  abstract readonly startingSince: ToolProvider['startingSince'];
  abstract refresh(): Catalog;
  abstract startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void>;
  /** Starts the servers that a question needs. */
  protected abstract startForQuestion(): void;
  /** Returns the servers that a question waits for; undefined if it needn't wait. */
  protected abstract awaited(): readonly string[] | undefined;

  get catalog(): Catalog {
    return this.living.current;
  }

  get given(): ToolProvider['given'] {
    return this.living.given;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.living.diagnostics;
  }

  onDidChange(listener: (catalog: Catalog) => void): () => void {
    return this.living.onDidChange(listener);
  }

  useCached(cached: CachedTools): void {
    this.cached = cached;
    this.refresh();
  }

  follow(): void {
    this.endPoll ??= every(() => this.refresh(), POLL_MS);
    this.refresh();
  }

  async whenReady({ timeoutMs, signal, onWait }: Parameters<ToolProvider['whenReady']>[0]): Promise<Catalog> {
    const deadline = performance.now() + timeoutMs;
    this.startForQuestion();
    let reported = '';
    for (let names = this.awaited(); names && !signal.aborted; names = this.awaited()) {
      if (performance.now() >= deadline) {
        for (const name of [...names, '']) this.givenUp.add(name);
        break;
      }
      if (reported !== names.join('\n')) onWait(names);
      reported = names.join('\n');
      const woken = new AbortController();
      const stop = this.living.onDidChange(() => woken.abort());
      await pause(Math.min(WAIT_POLL_MS, deadline - performance.now()), AbortSignal.any([signal, woken.signal]));
      stop();
    }
    if (reported) onWait([]);
    this.refresh();
    await this.living.settled();
    return this.catalog;
  }

  dispose(): void | Promise<void> {
    this.endPoll?.();
    this.endPoll = undefined;
    this.living.dispose();
  }
}
