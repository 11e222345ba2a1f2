// Records the events of invented turns, for the tests of suggestions.
import type { LedgerEntry, LedgerEvent } from '../../../../src/core/ledger/ledger';
import type { RoundTokens } from '../../../../src/core/usage/types';
import { called, estimated, hit, searched, sentTokens, started } from '../../../data/entries';

/** Records a turn's events in order. */
export class TurnScript {
  readonly events: LedgerEvent[] = [];
  #round = 0;
  #calls = 0;

  constructor(
    readonly turn: number,
    delivery = 'local',
  ) {
    const counts = { eager: 0, discovered: 0, deferred: 10 };
    this.#add(started({ delivery: { name: delivery, why: '' }, counts }));
  }

  #add(entry: LedgerEntry): this {
    this.events.push({
      ...entry,
      seq: this.turn * 1000 + this.events.length,
      at: this.turn,
      turn: this.turn,
    } as LedgerEvent);
    return this;
  }

  /** @param baseline the tokens of the round with every definition */
  round(
    overhead: number,
    sent = 5_000,
    baseline = 50_000,
    cache: Pick<LedgerEntry & { type: 'roundEnded' }, 'prefix'> & Pick<RoundTokens, 'cost'> = {},
  ): this {
    this.#round++;
    const { prefix, cost } = cache;
    const tokens: RoundTokens = {
      ...sentTokens({ promptAndHistory: sent - overhead, searchOverhead: overhead }, 0, estimated),
      baseline: estimated(baseline),
      ...(cost ? { cost } : {}),
    };
    return this.#add({ type: 'roundEnded', round: this.#round, ms: 1, tokens, ...(prefix ? { prefix } : {}) });
  }

  /** @param callId queries of one call share it */
  search(hits: readonly string[], { below = [] as readonly string[], callId = `s${++this.#calls}` } = {}): this {
    const found = { hits: hits.map((id) => hit(id)), below: below.map((id) => hit(id)), matched: hits.length };
    return this.#add(searched('q', { round: this.#round, callId, searched: 10, ...found }));
  }

  found(...ids: string[]): this {
    return this.#add({ type: 'discovered', round: this.#round, ids, tokens: estimated(1) });
  }

  call(tool: string): this {
    return this.#add(called(tool, { round: this.#round, callId: `c${++this.#calls}` }));
  }

  end(): LedgerEvent[] {
    this.#add({ type: 'turnEnded', status: 'answered', ms: 1 });
    return this.events;
  }
}

/** That many turns, each recorded by `write`. */
export function turns(count: number, write: (turn: TurnScript) => unknown): LedgerEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const script = new TurnScript(index + 1);
    write(script);
    return script.end();
  }).flat();
}
