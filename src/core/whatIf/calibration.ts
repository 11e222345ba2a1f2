/**
 * Learns from recorded requests how many tokens searching adds on the wire beside its texts: for each request, and for
 * each search in the conversation. Providers don't document either.
 */
import type { ModelRequest } from '../ports';
import type { RecordedTurn } from './recordedTurns';

/**
 * The tokens of a search with its result, beside query and answer, until something is learned. Recorded exchanges with
 * both services came to 60–130.
 */
const PER_SEARCH = 60;
const PER_PROVIDER_SEARCH = 110;
/** The most tokens of a search or an offer that are credible. */
const MAX_LEARNED = 300;
/** The weight of a usual value, in requests, and the number of rounds in which the figures settle. */
const HELD = 0.2;
const ROUNDS = 100;

/** A recorded request. All figures are on average for each time that the provider read it. */
interface Sample {
  /** 1 if it offers a search, otherwise 0. */
  readonly offers: 0 | 1;
  /** The searches in its conversation, and those that the provider had made when it read it. */
  readonly asked: number;
  readonly made: number;
  /** Its tokens beyond the texts. */
  readonly missing: number;
}

/** The tokens that a request adds if it offers a search, each search in its conversation, and each one being made. */
interface Learned {
  readonly offer: number;
  readonly asked: number;
  readonly made: number;
}

/** Whether the provider holds the deferred tools. */
export function isNative({ delivery }: Pick<ModelRequest, 'delivery'>): boolean {
  return delivery === 'server' || delivery === 'client';
}

/** The wire has one form for `local` and `bridge`, and one each for `server` and `client`. */
function formOf(request: Pick<ModelRequest, 'delivery'>): string {
  return isNative(request) ? request.delivery : 'own';
}

export class Calibration {
  /** Returns the number of characters per token of definitions, by the counts that a turn was recorded with. */
  readonly charsPerToken: (turn: RecordedTurn) => number;
  readonly #samples = new Map<string, Sample[]>();
  #learned: ReadonlyMap<string, Learned> = new Map();

  constructor(charsPerToken: Calibration['charsPerToken']) {
    this.charsPerToken = charsPerToken;
  }

  note(request: Pick<ModelRequest, 'delivery'>, sample: Sample): void {
    const form = formOf(request);
    this.#samples.set(form, [...(this.#samples.get(form) ?? []), sample]);
  }

  /** Learns from the requests that were noted. */
  learn(): void {
    this.#learned = new Map([...this.#samples].map(([form, samples]) => [form, fitted(samples, usualPerSearch(form))]));
  }

  /**
   * Returns what is known of a request's form. A form that wasn't recorded is taken to be like one that was; a
   * provider's own search is like no other.
   */
  of(request: Pick<ModelRequest, 'delivery'>): Learned {
    const form = formOf(request);
    const own = this.#learned.get(form);
    if (own) return own;
    const alike = form === 'server' ? form : form === 'own' ? 'client' : 'own';
    const asked = this.#learned.get(alike)?.asked ?? usualPerSearch(form);
    return { offer: 0, asked, made: asked };
  }
}

function usualPerSearch(form: string): number {
  return form === 'server' ? PER_PROVIDER_SEARCH : PER_SEARCH;
}

/**
 * Fits the three figures by least squares, one after the other until they settle. Each is held near its usual value by
 * the weight of a part of a request, so that a few requests that are alike can't make up an odd sum.
 */
function fitted(samples: readonly Sample[], usual: number): Learned {
  let learned: Learned = { offer: 0, asked: usual, made: usual };
  const others = ({ offers, asked, made }: Sample, without: keyof Learned) =>
    (without === 'offer' ? 0 : learned.offer * offers) +
    (without === 'asked' ? 0 : learned.asked * asked) +
    (without === 'made' ? 0 : learned.made * made);
  const settle = (figure: keyof Learned, of: (sample: Sample) => number, start: number, weight: number) => {
    let sum = weight * start;
    let squares = weight;
    for (const sample of samples) {
      sum += of(sample) * (sample.missing - others(sample, figure));
      squares += of(sample) ** 2;
    }
    learned = {
      ...learned,
      [figure]: Math.min(MAX_LEARNED, Math.max(figure === 'offer' ? -MAX_LEARNED : 0, sum / squares)),
    };
  };
  for (let round = 0; round < ROUNDS; round++) {
    settle('asked', ({ asked }) => asked, usual, HELD);
    settle('made', ({ made }) => made, usual, HELD);
    settle('offer', ({ offers }) => offers, 0, HELD / 10);
  }
  return learned;
}
