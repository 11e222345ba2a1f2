import { useEffect, useRef, useState } from 'react';
import type { TurnView, Unit } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { spoken } from '../verdict';

/**
 * Announces each turn to screen readers when it ends. Turns that had ended before the panel opened aren't announced.
 */
export function LiveRegion({ turns, unit }: { readonly turns: readonly TurnView[]; readonly unit: Unit }) {
  const text = useText();
  const [said, setSaid] = useState('');
  const running = useRef(new Set<number>());
  useEffect(() => {
    for (const turn of turns) {
      if (turn.running) running.current.add(turn.turn);
      else if (running.current.delete(turn.turn)) setSaid(spoken(turn, unit, text));
    }
  }, [turns, unit, text]);
  return (
    <output className="sr" aria-live="polite">
      {said}
    </output>
  );
}
