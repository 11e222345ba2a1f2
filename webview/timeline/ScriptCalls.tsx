import type { ScriptCallsView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';

/** A script's calls, grouped by tool: `filesystem/read_text_file ×24`. */
export function ScriptCalls({ calls }: { readonly calls: readonly ScriptCallsView[] }) {
  const { t, duration } = useText();
  return (
    <>
      <div className="script-head">
        <b>{t('timeline.scriptByTool')}</b>
      </div>
      <ul className="script-calls">
        {calls.map((call) => (
          <li key={call.tool}>
            {call.server !== undefined && <span className="srv">{call.server}/</span>}
            <b>{call.name}</b> {call.times > 1 && t('timeline.scriptTimes', { n: call.times })}{' '}
            {call.failed > 0 && <span className="bad">{t('count.failed', { n: call.failed })}</span>}{' '}
            <span className="dim">
              {duration(call.ms)} → {call.summary}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
