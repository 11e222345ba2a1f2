import type { PlayAnswer } from '../src/inspector/protocol/playground';
import type { PlayQuestion, ToHost } from '../src/inspector/protocol/requests';

/** An answer with its question. The user may have typed another question since. */
export interface Played {
  readonly question: PlayQuestion;
  readonly answer: PlayAnswer;
}

/**
 * Asks the playground's questions one at a time. While a question is unanswered, only the newest of the following ones
 * is remembered.
 */
interface Asker {
  /**
   * Asks a question. `about` is everything else that the answer depends on: if it changes, the same question is asked
   * again.
   */
  ask(question: PlayQuestion, about: string): void;
  /** Returns an answer with its question; undefined if the answer is no longer needed. */
  answered(request: number, answer: PlayAnswer): Played | undefined;
  failed(request: number): void;
}

/** @param post sends a request and returns its number */
export function createAsker(post: (message: ToHost) => number): Asker {
  let request: number | undefined;
  let waiting = false;
  let asked: { readonly key: string; readonly question: PlayQuestion } | undefined;
  let wanted: typeof asked;

  function next(): void {
    if (waiting || !wanted || wanted.key === asked?.key) return;
    asked = wanted;
    waiting = true;
    request = post({ type: 'play', question: asked.question });
  }

  return {
    ask(question, about) {
      wanted = { key: JSON.stringify([question, about]), question };
      next();
    },
    answered(answeredRequest, answer) {
      if (answeredRequest !== request || !asked) return undefined;
      const { question } = asked;
      waiting = false;
      next();
      return { question, answer };
    },
    failed(failedRequest) {
      if (failedRequest !== request) return;
      waiting = false;
      next();
    },
  };
}
