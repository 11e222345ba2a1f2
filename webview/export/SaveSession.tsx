import { useState } from 'react';
import { EXPORT_FORMATS, type ExportFormat } from '../../src/inspector/protocol/export';
import type { ToHost } from '../../src/inspector/protocol/requests';
import type { ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';

interface Props {
  readonly state: ViewState;
  readonly post: (message: ToHost) => void;
}

/** The choice of a session file's format, and whether it contains the conversation's texts. By default it doesn't. */
export function SaveSession({ state, post }: Props) {
  const { t, n } = useText();
  const [format, setFormat] = useState<ExportFormat>('json');
  const [contents, setContents] = useState(false);
  const { totals, servers } = state;
  return (
    <section aria-labelledby="export-heading">
      <h2 id="export-heading">{t('export.heading')}</h2>
      <p>
        {t('export.what', {
          turns: n('count.turns', totals.turns),
          tools: n('count.tools', totals.tools),
          servers: n('count.servers', servers.filter((server) => !server.editor).length),
        })}
      </p>
      <fieldset>
        <legend>{t('export.format')}</legend>
        {EXPORT_FORMATS.map((each) => (
          <label key={each}>
            <input type="radio" name="format" value={each} checked={each === format} onChange={() => setFormat(each)} />
            <span>
              {t(`export.${each}`)} <span className="dim">{t(`export.${each}Why`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        <input
          type="checkbox"
          checked={contents}
          aria-describedby="export-contents"
          onChange={(event) => setContents(event.target.checked)}
        />
        <span>
          {t('export.contents')}
          <span id="export-contents" className="dim more">
            {t('export.contentsWhy')}
          </span>
        </span>
      </label>
      <button type="button" className="btn" onClick={() => post({ type: 'export', format, contents })}>
        {t('export.button')}
      </button>
    </section>
  );
}
