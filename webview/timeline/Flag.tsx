import type { FlagView } from '../../src/inspector/protocol/view';
import { Codicon } from '../parts/Codicon';

const ICONS: { readonly [kind in FlagView['kind']]: readonly [string, string] } = {
  withoutDiscovery: ['debug-step-over', 'info'],
  noHits: ['search-stop', 'warn'],
  failed: ['error', 'err'],
  invalid: ['symbol-parameter', 'warn'],
  retried: ['debug-restart', 'info'],
  refused: ['shield', 'warn'],
  cancelled: ['debug-stop', 'warn'],
};

/** A flag for something unusual. Only its icon is coloured, not its text. */
export function Flag({ flag }: { readonly flag: FlagView }) {
  const [icon, tone] = ICONS[flag.kind];
  return (
    <span className="flag">
      <Codicon name={icon} tone={tone} />
      {flag.text}
    </span>
  );
}
