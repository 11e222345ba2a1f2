// Determines the state of each MCP server that VS Code runs, from its tools and the time since its start.

import type { ServerInfo } from '../core/catalog/catalog';
import { l10n } from '../core/util/l10n';
import { namesCollide } from './toolOrigin';

/** The time that a server has to list its tools after a start, in milliseconds. */
const START_LIMIT_MS = 30_000;

/** Records the events of each server in this session. */
export class ServerStates {
  readonly #hadTools = new Set<string>();
  readonly #askedAt = new Map<string, number>();
  readonly #startOver = new Set<string>();
  readonly #configured = new Set<string>();

  /** Records which servers are configured and which have tools now. Servers that were removed are forgotten. */
  see(configured: readonly string[], running: ReadonlySet<string>): void {
    for (const name of running) {
      this.#hadTools.add(name);
      this.#askedAt.delete(name);
      this.#startOver.delete(name);
    }
    const now = new Set(configured);
    for (const name of this.#configured) {
      if (now.has(name)) continue;
      this.#hadTools.delete(name);
      this.#askedAt.delete(name);
      this.#startOver.delete(name);
    }
    this.#configured.clear();
    for (const name of configured) this.#configured.add(name);
  }

  /** Records that these servers' start was requested. */
  asked(names: Iterable<string>, now: number): void {
    for (const name of names) {
      this.#askedAt.set(name, now);
      this.#startOver.delete(name);
    }
  }

  /** Records that the start of one server or of all is over. A server without tools has then failed to start. */
  startOver(only?: string): void {
    for (const name of this.#askedAt.keys()) if (only === undefined || name === only) this.#startOver.add(name);
  }

  /** The names of configured servers, and of servers with tools that aren't in any known file. */
  get names(): ReadonlySet<string> {
    return new Set([...this.#configured, ...this.#hadTools]);
  }

  askedAt(name: string): number | undefined {
    return this.#askedAt.get(name);
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
    const askedAt = this.#askedAt.get(name);
    if (running.has(name)) return { state: 'running' };
    if (!trusted)
      return { state: 'untrusted', detail: l10n.t("The workspace isn't trusted, so VS Code doesn't start it.") };
    if (askedAt === undefined) {
      return this.#hadTools.has(name)
        ? {
            state: 'stopped',
            detail: l10n.t('Its tools are gone: it was stopped or it failed. “MCP: List Servers” starts it again.'),
          }
        : { state: 'stopped', detail: l10n.t('Not started yet: it starts with the first question.') };
    }
    if (this.#startOver.has(name)) {
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
    if (Date.now() - askedAt > START_LIMIT_MS) {
      return {
        state: 'failed',
        detail: l10n.t(
          'It did not list its tools within {0} seconds. “MCP: List Servers” shows its output.',
          START_LIMIT_MS / 1000,
        ),
      };
    }
    return { state: 'starting' };
  }
}
