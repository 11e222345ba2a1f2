// Determines the state of each MCP server that VS Code runs, from its tools and the time since its start.

import type { ServerInfo } from '../core/catalog/catalog';
import { l10n } from '../core/util/l10n';
import { namesCollide } from './toolOrigin';

/** The time that a server has to list its tools after a start, in milliseconds. */
const START_LIMIT_MS = 30_000;

/** Records the events of each server in this session. */
export class ServerStates {
  readonly #hadTools = new Set<string>();
  /** The requested starts of servers without tools, and whether each is over. */
  readonly #starts = new Map<string, { readonly at: number; isOver: boolean }>();
  #configured: ReadonlySet<string> = new Set();

  /** Records which servers are configured and which have tools now. Servers that were removed are forgotten. */
  see(configured: readonly string[], running: ReadonlySet<string>): void {
    for (const name of running) {
      this.#hadTools.add(name);
      this.#starts.delete(name);
    }
    const now = new Set(configured);
    for (const name of this.#configured) {
      if (now.has(name)) continue;
      this.#hadTools.delete(name);
      this.#starts.delete(name);
    }
    this.#configured = now;
  }

  /** Records that these servers' start was requested. */
  asked(names: Iterable<string>, now: number): void {
    for (const name of names) this.#starts.set(name, { at: now, isOver: false });
  }

  /** Records that the start of one server or of all is over. A server without tools has then failed to start. */
  startOver(only?: string): void {
    for (const [name, start] of this.#starts) if (only === undefined || name === only) start.isOver = true;
  }

  /** The names of configured servers, and of servers with tools that aren't in any known file. */
  get names(): ReadonlySet<string> {
    return new Set([...this.#configured, ...this.#hadTools]);
  }

  askedAt(name: string): number | undefined {
    return this.#starts.get(name)?.at;
  }

  /** Whether the server hasn't listed any tools in this session. */
  neverRan(name: string): boolean {
    return !this.#hadTools.has(name);
  }

  /**
   * Returns the state of a server. VS Code doesn't report states to extensions, so the state is determined from tools
   * and times.
   * @param running the servers that have tools now
   */
  stateOf(
    name: string,
    running: ReadonlySet<string>,
    trusted: boolean,
  ): Pick<ServerInfo, 'state' | 'detail' | 'namesTakenBy'> {
    const start = this.#starts.get(name);
    if (running.has(name)) return { state: 'running' };
    if (!trusted)
      return { state: 'untrusted', detail: l10n.t("The workspace isn't trusted, so VS Code doesn't start it.") };
    if (!start) {
      const detail = this.#hadTools.has(name)
        ? l10n.t('Its tools are gone: it was stopped or it failed. “MCP: List Servers” starts it again.')
        : l10n.t('Not started yet: it starts with the first question.');
      return { state: 'stopped', detail };
    }
    if (start.isOver) {
      const namesTakenBy = [...running].find((other) => namesCollide(name, other));
      return {
        state: 'failed',
        detail: namesTakenBy
          ? l10n.t(
              'Its tools may have the names of those of {0} in VS Code, which then lists none of them: rename one of the two servers. Otherwise, “MCP: List Servers” shows why it failed.',
              namesTakenBy,
            )
          : l10n.t(
              'It failed to start, or it has no tools, or VS Code dropped it because two of its tools have the same name after VS Code cut them to 64 characters. “MCP: List Servers” shows its output.',
            ),
        namesTakenBy,
      };
    }
    if (Date.now() - start.at <= START_LIMIT_MS) return { state: 'starting' };
    const detail = l10n.t(
      'It did not list its tools within {0} seconds. “MCP: List Servers” shows its output.',
      START_LIMIT_MS / 1000,
    );
    return { state: 'failed', detail };
  }
}
