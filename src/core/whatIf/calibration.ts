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
/** The most tokens of a search that are credible. */
const MAX_PER_SEARCH = 200;

/** A recorded request: the searches in its conversation, and its overhead beyond the texts. */
interface Sample {
  readonly asked: number;
  readonly missing: number;
}

interface Learned {
  readonly perRequest: number;
  readonly perSearch: number;
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
    this.#learned = new Map([...this.#samples].map(([form, samples]) => [form, lineOf(samples, usualPerSearch(form))]));
  }

  /** Whether a recorded request had this form. The fixed texts of a form that wasn't recorded aren't known. */
  knows(request: Pick<ModelRequest, 'delivery'>): boolean {
    return this.#learned.has(formOf(request));
  }

  /** @param searches whether the request offers a search */
  of(request: Pick<ModelRequest, 'delivery'>, searches: boolean, asked: number): number {
    const { perRequest } = this.#learned.get(formOf(request)) ?? { perRequest: 0 };
    return Math.round((searches ? perRequest : 0) + this.perSearch(request) * asked);
  }

  /** A form that wasn't recorded is taken to be like one that was. A provider's own search is like no other. */
  perSearch(request: Pick<ModelRequest, 'delivery'>): number {
    const form = formOf(request);
    const alike = form === 'server' ? form : form === 'own' ? 'client' : 'own';
    const learned = this.#learned.get(form) ?? this.#learned.get(alike);
    return Math.round(learned?.perSearch ?? usualPerSearch(form));
  }
}

function usualPerSearch(form: string): number {
  return form === 'server' ? PER_PROVIDER_SEARCH : PER_SEARCH;
}

/** Fits a line by least squares. If all requests have the same number of searches, the slope is the usual one. */
function lineOf(samples: readonly Sample[], usual: number): Learned {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const [asked, missing] = [mean((sample) => sample.asked), mean((sample) => sample.missing)];
  const spread = mean((sample) => (sample.asked - asked) ** 2);
  const slope = spread === 0 ? usual : mean((each) => (each.asked - asked) * (each.missing - missing)) / spread;
  const perSearch = Math.min(MAX_PER_SEARCH, Math.max(0, slope));
  return { perSearch, perRequest: missing - perSearch * asked };
}
