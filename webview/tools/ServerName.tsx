import type { ServerView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { ServerStatus } from '../states/ServerStatus';
import type { CellContext, RowOf, ServerSums } from './row';

/** A server's name, with its state and its number of tools. */
export function ServerName({ row, active, store, onToggle }: CellContext & { readonly row: RowOf<'server'> }) {
  const { server, shown, open } = row;
  const text = useText();
  const { t } = text;
  const down = server.state === 'failed' || server.state === 'stopped';
  return (
    <>
      {open !== undefined ? (
        <button type="button" className="tog" tabIndex={-1} aria-label={server.name} onClick={() => onToggle(row)}>
          <Codicon name={open ? 'chevron-down' : 'chevron-right'} />
        </button>
      ) : (
        <span className="tog" />
      )}
      <ServerStatus server={server} />
      <b title={server.source ? `${server.name}\n${server.source}` : server.name}>{server.name}</b>
      <span className="dim wide">{serverWords(server, shown, text)}</span>
      <span className="dim narrow">{briefly(server, shown, text)}</span>
      {down && (
        <button
          type="button"
          className="link"
          tabIndex={active ? 0 : -1}
          onClick={() => store.run('startServers', server.name)}
        >
          {t(server.state === 'failed' ? 'action.retry' : 'action.start')}
        </button>
      )}
    </>
  );
}

/** Returns the number of a server's tools, for a narrow panel. The icon before the server's name shows its state. */
function briefly(server: ServerView, shown: ServerSums, { number }: ReturnType<typeof useText>): string {
  if (shown.tools === 0) return '';
  const offered = shown.tools - shown.loading.omitted;
  return offered < server.tools ? `${number(offered)}/${number(server.tools)}` : number(server.tools);
}

/** Returns the text after a server's name: its state if it isn't running, and its number of tools. */
function serverWords(server: ServerView, shown: ServerSums, text: ReturnType<typeof useText>): string {
  const words: string[] = [];
  if (server.state !== 'running') words.push(text.t(`server.${server.state}`));
  const all = text.n('count.tools', server.tools);
  const offered = shown.tools - shown.loading.omitted;
  if (shown.tools > 0) words.push(offered < server.tools ? text.t('tools.some', { shown: offered, tools: all }) : all);
  if (server.cached) words.push(text.t('server.cached'));
  return words.join(' · ');
}
