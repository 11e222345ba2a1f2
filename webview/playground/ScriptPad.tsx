import type { KeyboardEvent } from 'react';
import { MAX_SCRIPT_CODE } from '../../src/inspector/protocol/script';
import { useText } from '../hooks';
import { ScrollingText } from '../parts/ScrollingText';
import type { ScriptState } from '../scriptState';
import type { Store } from '../store';
import { ScriptCode } from '../timeline/ScriptCode';

/** The minimum and maximum number of lines in the field. The buttons below it stay visible. */
const ROWS = { least: 10, most: 16 };

interface Props {
  readonly code: string;
  readonly run?: ScriptState;
  readonly store: Pick<Store, 'runScript' | 'stopScript' | 'navigate'>;
}

/** A field for a script that runs over the live catalog, with the answer that a model would have got. */
export function ScriptPad({ code, run, store }: Props) {
  const { t } = useText();
  const running = run !== undefined && run.result === undefined;
  const isEmpty = code.trim() === '';
  const start = () => {
    if (!isEmpty && !running) store.runScript(code);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    start();
  };
  return (
    <div className="pad">
      <textarea
        className="script-edit"
        value={code}
        rows={Math.max(ROWS.least, Math.min(ROWS.most, code.split('\n').length))}
        aria-label={t('pad.code')}
        aria-describedby="pad-hint"
        placeholder={'return (await search("read file")).map((it) => it.signature);'}
        spellCheck={false}
        autoCapitalize="off"
        maxLength={MAX_SCRIPT_CODE}
        onChange={(event) => store.navigate({ script: { open: true, code: event.target.value } })}
        onKeyDown={onKeyDown}
      />
      <div className="pad-bar">
        {running ? (
          <button type="button" className="btn" onClick={() => store.stopScript()}>
            {t('pad.stop')}
          </button>
        ) : (
          <button type="button" className="btn" disabled={isEmpty} onClick={start}>
            {t('pad.run')}
          </button>
        )}
        <span className="dim" id="pad-hint">
          {t('pad.hint')}
        </span>
      </div>
      <div role="status">{run && <Outcome run={run} />}</div>
      {run?.result?.line !== undefined && <ScriptCode code={run.code} failed={run.result.line} />}
      {run?.result && (
        <ScrollingText className="script-text" label={t('timeline.toModel')}>
          {run.result.output}
        </ScrollingText>
      )}
    </div>
  );
}

function Outcome({ run: { result } }: { readonly run: ScriptState }) {
  const { t, n, duration } = useText();
  if (!result) return <p className="dim">{t('pad.running')}</p>;
  const { outcome, calls, failed, servers, ms } = result;
  const facts = [
    n('timeline.scriptCalls', calls) + (failed > 0 ? `, ${t('count.failed', { n: failed })}` : ''),
    ...(servers.length > 0 ? [servers.join(' → ')] : []),
    duration(ms),
  ];
  return (
    <p>
      <b className={outcome === 'ok' ? undefined : 'bad'}>
        {t(outcome === 'ok' ? 'pad.ok' : outcome === 'cancelled' ? 'pad.stopped' : 'pad.failed')}
      </b>{' '}
      <span className="dim">{facts.join(' · ')}</span>
    </p>
  );
}
