import type { HostCommand } from '../../src/inspector/protocol/requests';
import type { ServerView } from '../../src/inspector/protocol/view';
import { useNow, useText } from '../hooks';
import { ServerStatus } from './ServerStatus';

interface Props {
  /** All servers, to count them. */
  readonly servers: readonly ServerView[];
  /** The servers that get a row. */
  readonly shown: readonly ServerView[];
  /** The number of tools that can be searched. */
  readonly tools: number;
  readonly receivedAt: number;
  readonly run: (command: HostCommand, server?: string) => void;
}

/** The servers that need attention. Each server that is starting has a timer. Failed ones are among the notices. */
export function ServerList({ servers, shown, tools, receivedAt, run }: Props) {
  const { t, n } = useText();
  const starting = servers.some((server) => server.state === 'starting');
  const now = useNow(starting, 100);
  const own = servers.filter((server) => !server.editor);
  const running = own.filter((server) => server.state === 'running').length;
  const idle = own.filter((server) => server.state === 'stopped' || server.state === 'failed').length;
  const count = n('count.tools', tools);
  return (
    <>
      {starting && <div className="prog" role="progressbar" aria-label={t('servers.progress')} />}
      <section className="servers" aria-label={t('servers.list')}>
        <div className="bar">
          <b>{t('servers.running', { running, total: own.length })}</b>
          <span className="dim">{starting ? t('servers.searchable', { tools: count }) : count}</span>
          {idle > 1 && (
            <button type="button" className="link" onClick={() => run('startServers')}>
              {t('action.startAll')}
            </button>
          )}
        </div>
        {shown
          .filter(({ state }) => state !== 'failed')
          .map((server) => (
            <ServerItem key={server.name} server={server} since={Math.max(0, now - receivedAt)} run={run} />
          ))}
      </section>
    </>
  );
}

interface ItemProps {
  readonly server: ServerView;
  /** Milliseconds since the state arrived. */
  readonly since: number;
  readonly run: (command: HostCommand, server?: string) => void;
}

/** A server in a row: its state, its tools, and what can be done about it. */
export function ServerItem({ server, since, run }: ItemProps) {
  const text = useText();
  const { t, n } = text;
  const failed = server.state === 'failed';
  const [reason = '', ...log] = (server.detail ?? '').split('\n');
  const problems = failed ? '' : server.problems.join(' ');
  const notes = [server.cached ? t('server.cached') : '', reason, problems, server.source ?? ''].filter(Boolean);
  const output = log.length > 0 ? [t('server.output'), ...log] : [];
  const lines = failed ? [...output, ...server.problems] : output;
  return (
    <div className="sv">
      <ServerStatus server={server} />
      {failed ? <b>{server.name}</b> : <span>{server.name}</span>}
      <span className="num">{server.tools > 0 ? n('count.tools', server.tools) : '–'}</span>
      <span className="num dim">
        {server.startingMs === undefined
          ? server.tools > 0 && text.tokens(server.tokens)
          : t('unit.s', { n: text.number((server.startingMs + since) / 1000, 1) })}
      </span>
      <div className="more">
        <span className="note">
          {notes.length > 0 || server.state === 'running' ? notes.join(' · ') : t(`server.${server.state}`)}
        </span>
        <span className="acts">
          {(failed || server.state === 'stopped') && (
            <button type="button" className="link" onClick={() => run('startServers', server.name)}>
              {t(failed ? 'action.retry' : 'action.start')}
            </button>
          )}
          {(failed || server.problems.length > 0) && (
            <button type="button" className="link" onClick={() => run('showLog')}>
              {t('action.showLog')}
            </button>
          )}
          {failed && (
            <button type="button" className="link" onClick={() => run('openMcpJson')}>
              {t('action.openMcpJson')}
            </button>
          )}
        </span>
      </div>
      {lines.length > 0 && <pre>{lines.join('\n')}</pre>}
    </div>
  );
}
