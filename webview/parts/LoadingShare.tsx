import type { HeaderView, Loading } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { kindOf } from './Swatch';

const ORDER: readonly Loading[] = ['eager', 'discovered', 'deferred'];

/** How the tools are loaded: in numbers, and as one thin bar. */
export function LoadingShare({ counts }: { readonly counts: HeaderView['counts'] }) {
  const { t, number } = useText();
  const total = counts.eager + counts.discovered + counts.deferred;
  let x = 0;
  const parts = ORDER.map((loading) => {
    const width = total > 0 ? (counts[loading] / total) * 100 : 0;
    x += width;
    return { loading, width, x: x - width };
  });
  return (
    <>
      <div className="split">
        {ORDER.map((loading) => (
          <span key={loading}>
            <b>{number(counts[loading])}</b> {t(`loading.${loading}`)}
          </span>
        ))}
      </div>
      <svg className="share" aria-hidden="true">
        {parts.map(
          (part) =>
            part.width > 0 && (
              <rect
                key={part.loading}
                className={`seg ${kindOf(part.loading)}`}
                x={`${part.x}%`}
                y=".5"
                width={`${part.width}%`}
                height="5"
              />
            ),
        )}
      </svg>
    </>
  );
}
