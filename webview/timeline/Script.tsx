import type { ScriptView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { CopyButton } from '../parts/CopyButton';
import { ScrollingText } from '../parts/ScrollingText';
import { Flag } from './Flag';
import { ScriptCalls } from './ScriptCalls';
import { ScriptCode } from './ScriptCode';

/** Actions of a script's row. */
export interface ScriptActions {
  readonly open: boolean;
  readonly toggle: () => void;
  readonly copy: (text: string) => void;
}

interface Props extends ScriptActions {
  readonly script: ScriptView & {
    readonly flags: readonly { readonly kind: 'failed' | string; readonly text: string }[];
  };
}

/** A script as one row. The row opens to show the code, the answer and the calls. */
export function Script({ script, open, toggle, copy }: Props) {
  const { t, n, tokens } = useText();
  const { title, calls, failed, searches, servers, keptFromModel, outcome, note } = script;
  const facts = [
    ...(outcome === undefined ? [t('turns.running')] : []),
    n('timeline.scriptCalls', calls) + (failed > 0 ? `, ${t('count.failed', { n: failed })}` : ''),
    ...(searches > 0 ? [n('timeline.scriptSearches', searches)] : []),
    ...(servers.length > 0 ? [servers.join(' → ')] : []),
    ...(script.provider ? [t('timeline.scriptProvider')] : []),
    ...(keptFromModel ? [t('timeline.scriptKept', { tokens: tokens(keptFromModel) })] : []),
  ];
  return (
    <>
      <button type="button" className="script-toggle" aria-expanded={open} onClick={toggle}>
        <Codicon name={open ? 'chevron-down' : 'chevron-right'} />
        {t('timeline.script')} <b>{title}</b>
      </button>{' '}
      <span className="dim">{facts.join(' · ')}</span>
      {script.flags.map((flag) => (
        <Flag key={flag.text} flag={flag as Parameters<typeof Flag>[0]['flag']} />
      ))}
      {note !== undefined && <div className="dim">{note}</div>}
      {open && (
        <div className="script-parts">
          <div className="script-head">
            <b>{t('timeline.scriptCode')}</b>
            <CopyButton label={t('timeline.scriptCopy')} onCopy={() => copy(script.code)} />
          </div>
          <ScriptCode code={script.code} failed={script.line} />
          {script.output !== undefined && (
            <>
              <div className="script-head">
                <b>{t('timeline.toModel')}</b>
              </div>
              <ScrollingText className="script-text" label={t('timeline.toModel')}>
                {script.output}
              </ScrollingText>
            </>
          )}
          {script.byTool.length > 0 && <ScriptCalls calls={script.byTool} />}
        </div>
      )}
    </>
  );
}
