import type { WhatIfView } from '../../src/inspector/protocol/whatIf';
import { useText } from '../hooks';

/** The turns that can't be replayed, by reason. */
export function LeftOut({ turns }: { readonly turns: WhatIfView['leftOut'] }) {
  const { t, n } = useText();
  if (turns.length === 0) return null;
  const reasons = [...new Set(turns.map(({ why }) => why))];
  return (
    <details className="rest dim">
      <summary>{n('whatIf.leftOut', turns.length)}</summary>
      <ul>
        {reasons.map((why) => {
          const own = turns.filter((each) => each.why === why).map(({ turn }) => turn);
          return <li key={why}>{t(`whatIf.why.${why}`, { turns: own.join(', ') })}</li>;
        })}
      </ul>
    </details>
  );
}
