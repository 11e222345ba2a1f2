import type { HostCommand } from '../../src/inspector/protocol/requests';
import type { NoticeView, ServerView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { ServerItem } from './ServerList';

const ICONS = { info: ['info', 'info'], warning: ['warning', 'warn'], error: ['error', 'err'] } as const;

interface Props {
  readonly servers: readonly ServerView[];
  readonly notices: readonly NoticeView[];
  readonly failures: readonly string[];
  readonly run: (command: HostCommand, server?: string) => void;
  readonly onDismiss: () => void;
}

/**
 * Notices, one line each: icon, fact, consequence, remedy. Failures of the host come first, then the servers that
 * failed: one line that opens to each server's own error.
 */
export function Notices({ servers, notices, failures, run, onDismiss }: Props) {
  const { t } = useText();
  const failed = servers.filter(({ state }) => state === 'failed');
  const failure = failures.at(-1);
  return (
    <>
      <div role="alert">
        {failure !== undefined && (
          <div className="notice">
            <Codicon name="error" tone="err" />
            <p>
              <b>{t('notice.requestFailed')}</b> {failure}{' '}
              <span className="do">
                <button type="button" className="link" onClick={() => run('showLog')}>
                  {t('action.showLog')}
                </button>
                <button type="button" className="link" onClick={onDismiss}>
                  {t('suggest.dismiss')}
                </button>
              </span>
            </p>
          </div>
        )}
      </div>
      {(notices.length > 0 || failed.length > 0) && (
        <section aria-label={t('notice.label')}>
          {failed.length > 0 && (
            <details className="failed">
              <summary className="notice">
                <Codicon name="error" tone="err" />
                <p>
                  <b>
                    {t('notice.failed', { n: failed.length, total: servers.filter(({ editor }) => !editor).length })}
                  </b>{' '}
                  {failed.map(({ name }) => name).join(', ')}
                </p>
              </summary>
              {failed.map((server) => (
                <ServerItem key={server.name} server={server} since={0} run={run} />
              ))}
            </details>
          )}
          {notices.map((notice, index) => (
            <div className="notice" key={`${notice.bold} ${notice.text}`}>
              <Codicon name={ICONS[notice.kind][0]} tone={ICONS[notice.kind][1]} />
              <p>
                <b id={`notice-${index}`}>{notice.bold}</b> {notice.text}{' '}
                <span className="do">
                  {notice.actions.map((action) => (
                    <button
                      type="button"
                      key={action.command}
                      className="link"
                      aria-describedby={`notice-${index}`}
                      onClick={() => run(action.command, action.server)}
                    >
                      {action.label}
                    </button>
                  ))}
                </span>
              </p>
            </div>
          ))}
        </section>
      )}
    </>
  );
}
