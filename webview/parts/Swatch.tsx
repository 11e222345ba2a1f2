import type { Loading } from '../../src/inspector/protocol';

/** A kind of token, as bars, legend and cells draw it: colour and pattern together. */
export type Kind = 'prompt' | 'eager' | 'discovered' | 'search' | 'avoided';

export function kindOf(loading: Loading): Kind {
  return loading === 'deferred' ? 'avoided' : loading;
}

export function Swatch({ kind }: { readonly kind: Kind }) {
  return (
    <svg className="sw" aria-hidden="true">
      <rect x=".5" y=".5" width="11" height="11" className={`seg ${kind}`} />
    </svg>
  );
}
