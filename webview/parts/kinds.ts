import type { PartsView } from '../../src/inspector/protocol/view';
import type { StringKey } from '../../src/inspector/text/text';
import type { Kind } from './Swatch';

/** The parts of a round's sent tokens, in the order in which they are stacked. */
export const PARTS: readonly {
  readonly kind: Kind;
  readonly part: keyof PartsView & ('promptAndHistory' | 'eager' | 'discovered' | 'searchOverhead');
  readonly label: StringKey;
}[] = [
  { kind: 'prompt', part: 'promptAndHistory', label: 'kind.promptAndHistory' },
  { kind: 'eager', part: 'eager', label: 'kind.eager' },
  { kind: 'discovered', part: 'discovered', label: 'kind.discovered' },
  { kind: 'search', part: 'searchOverhead', label: 'kind.searchOverhead' },
];
