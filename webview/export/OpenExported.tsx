import { type DragEvent, useState } from 'react';
import { MAX_DROPPED } from '../../src/inspector/protocol/export';
import type { ToHost } from '../../src/inspector/protocol/requests';
import { useText } from '../hooks';

interface Props {
  readonly post: (message: ToHost) => void;
  readonly fail: (message: string) => void;
}

/** A button that asks for a file, and an area onto which a file can be dropped. */
export function OpenExported({ post, fail }: Props) {
  const { t } = useText();
  const [over, setOver] = useState(false);
  async function drop(event: DragEvent<HTMLElement>) {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (!file) return;
    if (file.size > MAX_DROPPED) fail(t('export.tooLarge', { file: file.name }));
    else post({ type: 'openText', name: file.name, text: await file.text() });
  }
  return (
    <section
      aria-labelledby="open-heading"
      className={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <h2 id="open-heading">{t('export.openHeading')}</h2>
      <p>{t('export.openWhy')}</p>
      <button type="button" className="btn two" onClick={() => post({ type: 'openExport' })}>
        {t('export.open')}
      </button>{' '}
      <span className="dim">{t('export.drop')}</span>
    </section>
  );
}
