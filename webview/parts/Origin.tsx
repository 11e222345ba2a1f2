import type { OriginView } from '../../src/inspector/protocol/export';
import { useText } from '../hooks';
import { Codicon } from './Codicon';

/** Says of an exported session that it is one, and where it is from. */
export function Origin({ origin }: { readonly origin: OriginView }) {
  const { t } = useText();
  const { file, exportedAt, product, contents } = origin;
  return (
    <section className="notice origin" aria-label={t('origin.label')}>
      <Codicon name="archive" />
      <p>
        <b>{t('origin.what')}</b> {t('origin.from', { file, date: exportedAt, product })}{' '}
        {!contents && t('origin.left')}
      </p>
    </section>
  );
}
