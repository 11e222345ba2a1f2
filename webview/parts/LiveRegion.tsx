import { useEffect, useRef, useState } from 'react';
import type { TurnView } from '../../src/inspector/protocol/view';
import type { Text } from '../../src/inspector/text/text';
import { useText } from '../hooks';

/**
 * Announces each turn to screen readers when it ends. Turns that had ended before the panel opened aren't announced.
 */
export function LiveRegion({ turns }: { readonly turns: readonly TurnView[] }) {
  const text = useText();
  const [said, setSaid] = useState('');
  const running = useRef(new Set<number>());
  useEffect(() => {
    for (const turn of turns) {
      if (turn.running) running.current.add(turn.turn);
      else if (running.current.delete(turn.turn)) setSaid(sentence(turn, text));
    }
  }, [turns, text]);
  return (
    <output className="sr" aria-live="polite">
      {said}
    </output>
  );
}

function sentence(turn: TurnView, text: Text): string {
  const status = turn.end?.status ?? 'answered';
  const said = text.t(`live.${status}`, { turn: turn.turn, sent: text.tokens(turn.sent), net: text.net(turn.net) });
  return turn.loss ? `${said} ${text.t('live.loss')}` : said;
}
