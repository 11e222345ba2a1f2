import { useText } from '../hooks';
import { Mark } from '../parts/Mark';

/**
 * A legend for the marks in bars that the headline doesn't explain.
 * @param cache whether a bar shows tokens read from a cache
 */
export function Legend({ cache }: { readonly cache: boolean }) {
  const { t } = useText();
  return (
    <ul className="legend" aria-label={t('legend')}>
      <li>
        <svg className="sw" aria-hidden="true">
          <rect className="base" x="5" y="-1" width="2" height="14" />
        </svg>
        {t('kind.baseline')}
      </li>
      {cache && (
        <li>
          <svg className="sw" aria-hidden="true">
            <rect className="cache" y="6" width="12" height="1.5" />
          </svg>
          {t('kind.cache')}
        </li>
      )}
      <li className="marks wide">
        <Mark certainty="measured" />
        <Mark certainty="estimated" />
      </li>
    </ul>
  );
}
