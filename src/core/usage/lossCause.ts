/**
 * Why a turn cost more than with every definition. `missed`: the provider's cache didn't hold what the turn repeated.
 * `cached`: the turn sent fewer tokens, but the cache would have made all definitions cheap. `searched`: searching took
 * more than the definitions. `guidance`: no search ran, and our own tools took more than the definitions.
 */
type LossCause = 'missed' | 'cached' | 'searched' | 'guidance';

/**
 * Returns the cause of a turn's loss.
 * @param loss in fresh input tokens if the cost is known, otherwise in tokens
 * @param readAgain the tokens that were read again because of cache misses
 * @param savedTokens the tokens that weren't sent; negative if more were sent
 */
export function lossCause(turn: {
  readonly loss: number;
  readonly readAgain: number;
  readonly savedTokens: number;
  readonly searched: boolean;
}): LossCause {
  if (turn.readAgain > 0 && turn.readAgain >= turn.loss) return 'missed';
  if (turn.savedTokens >= 0) return 'cached';
  return turn.searched ? 'searched' : 'guidance';
}
