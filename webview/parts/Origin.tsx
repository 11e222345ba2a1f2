import type { OriginView } from '../../src/inspector/protocol/export';
import { useText } from '../hooks';
import { Codicon } from './Codicon';

/** Shows that a session is an exported one, with its file. */
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
