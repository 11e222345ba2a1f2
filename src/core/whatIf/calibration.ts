/**
 * Learns from recorded requests how many tokens searching adds to a request in addition to its texts. One figure is for
 * offering a search, the others are for each search. Providers don't document these figures.
 */
import { isNative, type ModelRequest } from '../ports';
import type { RecordedTurn } from './recordedTurns';

/**
 * The assumed tokens that a search and its result add to a request, in addition to their JSON on the wire, until recorded
 * requests give a figure.
 */
const PER_SEARCH = 20;
/** A learned figure is credible up to this number of tokens. */
const MAX_LEARNED = 300;
/**
 * The weight of the assumed figures in the fit, as a number of requests, and the number of rounds in which the fit
 * settles.
 */
const HELD = 0.2;
const ROUNDS = 100;

/** A recorded request that offers a search. Each figure is an average over the provider's readings of the request. */
interface Sample {
  /** The number of searches in the conversation, and the number that the provider had made at the time of reading. */
  readonly asked: number;
  readonly made: number;
  /** The request's tokens that its texts don't explain. */
  readonly missing: number;
}

/**
 * The tokens that three things add to a request: offering a search, each search in the conversation, and each search
 * that the provider makes.
 */
interface Learned {
  readonly offer: number;
  readonly asked: number;
  readonly made: number;
}

/** The characters per token of definitions' texts, and of everything that a wire writes. */
export interface CharsPerToken {
  readonly definitions: number;
  readonly wire: number;
}

/**
 * Returns the form of a request on the wire: one for `local` and `bridge` together, and one each for `server` and
 * `client`.
 */
function deliveryFormOf(request: Pick<ModelRequest, 'delivery'>): string {
  return isNative(request.delivery) ? request.delivery : 'own';
}

export class Calibration {
  /** Returns the characters per token from the counts recorded with a turn. */
  readonly charsPerToken: (turn: RecordedTurn) => CharsPerToken;
  readonly #samples = new Map<string, Sample[]>();
  #learned: ReadonlyMap<string, Learned> = new Map();

  constructor(charsPerToken: Calibration['charsPerToken']) {
    this.charsPerToken = charsPerToken;
  }

  note(request: Pick<ModelRequest, 'delivery'>, sample: Sample): void {
    const { asked, made, missing } = sample;
    // A larger difference has another cause and would spoil the figures of all other requests.
    if (Math.abs(missing) > MAX_LEARNED * (1 + asked + made)) return;
    const form = deliveryFormOf(request);
    this.#samples.set(form, [...(this.#samples.get(form) ?? []), sample]);
  }

  /** Whether requests of this form were recorded. */
  knows(request: Pick<ModelRequest, 'delivery'>): boolean {
    return this.#learned.has(deliveryFormOf(request));
  }

  /** Learns from the recorded requests. */
  learn(): void {
    this.#learned = new Map([...this.#samples].map(([form, samples]) => [form, fitted(samples)]));
  }

  /**
   * Returns the figures for a request's form. A form without recorded requests gets the figures of another form, except
   * the provider's own search, which is like no other form.
   */
  of(request: Pick<ModelRequest, 'delivery'>): Learned {
    const form = deliveryFormOf(request);
    const own = this.#learned.get(form);
    if (own) return own;
    const alike = form === 'server' ? form : form === 'own' ? 'client' : 'own';
    const asked = this.#learned.get(alike)?.asked ?? PER_SEARCH;
    return { offer: 0, asked, made: asked };
  }
}

/**
 * Fits the three figures by least squares, one after the other, until they settle. Each figure is drawn towards its
 * assumed value, so that a few similar requests can't lead to absurd figures.
 */
function fitted(samples: readonly Sample[]): Learned {
  let learned: Learned = { offer: 0, asked: PER_SEARCH, made: PER_SEARCH };
  const others = ({ asked, made }: Sample, without: keyof Learned) =>
    (without === 'offer' ? 0 : learned.offer) +
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
      [figure]: Math.min(MAX_LEARNED, Math.max(-MAX_LEARNED, sum / squares)),
    };
  };
  for (let round = 0; round < ROUNDS; round++) {
    settle('asked', ({ asked }) => asked, PER_SEARCH, HELD);
    settle('made', ({ made }) => made, PER_SEARCH, HELD);
    settle('offer', () => 1, 0, HELD / 10);
  }
  return learned;
}
