import type { Standing } from '../../src/inspector/protocol/view';

/** A kind of token in the form of bars, legend and cells: a colour with a pattern. */
export type Kind = 'eager' | 'discovered' | 'avoided' | 'none';

const KINDS: { readonly [loading in Standing]: Kind } = {
  eager: 'eager',
  discovered: 'discovered',
  deferred: 'avoided',
  omitted: 'none',
};

export function kindOf(loading: Standing): Kind {
  return KINDS[loading];
}

export function Swatch({ kind }: { readonly kind: Kind }) {
  return (
    <svg className="sw" aria-hidden="true">
      <rect x=".5" y=".5" width="11" height="11" className={`seg ${kind}`} />
    </svg>
  );
}
