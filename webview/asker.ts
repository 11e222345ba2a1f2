import type { PlayAnswer } from '../src/inspector/protocol/playground';
import type { PlayQuestion, ToHost } from '../src/inspector/protocol/requests';

/** An answer and what it answers, which may be older than what has been typed since. */
export interface Played {
  readonly question: PlayQuestion;
  readonly answer: PlayAnswer;
}

/**
 * Asks the playground's questions one at a time: while one is unanswered, only the newest of those that follow is
 * kept.
 */
interface Asker {
  /** `about` is everything else that the answer depends on. If it changes, the same question is asked again. */
  ask(question: PlayQuestion, about: string): void;
  /** Undefined if nobody waits for this answer any more. */
  answered(request: number, answer: PlayAnswer): Played | undefined;
  failed(request: number): void;
}

/** @param post sends a request, and gives its number */
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
