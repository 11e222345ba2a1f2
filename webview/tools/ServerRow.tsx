import type { HostCommand } from '../../src/inspector/protocol/requests';
import type { Pin, ServerView, Standing } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { kindOf, Swatch } from '../parts/Swatch';
import { ServerStatus } from '../states/ServerStatus';
import { Cell } from './Cell';
import { PinRadios } from './PinRadios';
import { type FrameProps, RowFrame } from './RowFrame';
import type { ServerSums } from './rows';

interface Props {
  readonly frame: FrameProps;
  readonly server: ServerView;
  readonly shown: ServerSums;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onPin: (pin: Pin) => void;
  readonly run: (command: HostCommand, server?: string) => void;
}

const LOADINGS: readonly Standing[] = ['eager', 'discovered', 'deferred', 'omitted'];

/** A server's row: its state, its sums by kind, and its pin. */
export function ServerRow({ frame, server, shown, open, onToggle, onPin, run }: Props) {
  const text = useText();
  const { t } = text;
  const down = server.state === 'failed' || server.state === 'stopped';
  return (
    <RowFrame {...frame} className="tr s" expanded={shown.tools > 0 ? open : undefined}>
      <Cell className="nm">
        {shown.tools > 0 ? (
          <button type="button" className="tog" tabIndex={-1} aria-label={server.name} onClick={onToggle}>
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
            tabIndex={frame.active ? 0 : -1}
            onClick={() => run('startServers', server.name)}
          >
            {t(server.state === 'failed' ? 'action.retry' : 'action.start')}
          </button>
        )}
      </Cell>
      <Cell className="num">{server.tools > 0 ? text.tokens(server.tokens) : '–'}</Cell>
      <Cell className="c-tri">
        <PinRadios
          label={t('tools.pinOf', { name: server.name })}
          name={`pin server ${server.name}`}
          value={server.pin}
          tabbable={frame.active}
          onChange={onPin}
        />
      </Cell>
      <Cell className="lo c-lo">
        {LOADINGS.map(
          (loading) =>
            shown.loading[loading] > 0 && (
              <span key={loading} className="cnt" title={t(`loading.${loading}`)}>
                <Swatch kind={kindOf(loading)} />
                {text.number(shown.loading[loading])}
                <span className="sr"> {t(`loading.${loading}`)}</span>
              </span>
            ),
        )}
      </Cell>
      <Cell className="c-why dim">{server.pin === 'auto' ? (server.source ?? '') : t('tools.pinnedServer')}</Cell>
      <Cell className="c-at" />
      <Cell className="c-n num">{shown.calls > 0 && text.number(shown.calls)}</Cell>
    </RowFrame>
  );
}

/** Returns the number of a server's tools, for a narrow panel. The icon before the server's name shows its state. */
function briefly(server: ServerView, shown: ServerSums, { number }: ReturnType<typeof useText>): string {
  if (shown.tools === 0) return '';
  const offered = shown.tools - shown.loading.omitted;
  return offered < server.tools ? `${number(offered)}/${number(server.tools)}` : number(server.tools);
}

/**
 * Returns the text after a server's name: its state if it isn't running, its number of tools, and data about its
 * processes.
 */
function serverWords(server: ServerView, shown: ServerSums, text: ReturnType<typeof useText>): string {
  const words: string[] = [];
  if (server.state !== 'running') words.push(text.t(`server.${server.state}`));
  const all = text.n('count.tools', server.tools);
  const offered = shown.tools - shown.loading.omitted;
  if (shown.tools > 0) words.push(offered < server.tools ? text.t('tools.some', { shown: offered, tools: all }) : all);
  if (server.cached) words.push(text.t('server.cached'));
  if (server.running) {
    const { minutes, processes, bytes } = server.running;
    if (processes !== undefined) words.push(text.n('server.processes', processes));
    if (bytes !== undefined) words.push(text.t('server.memory', { n: text.number(bytes / 1e6, 0) }));
    words.push(text.t('server.minutes', { n: text.number(minutes) }));
  }
  return words.join(' · ');
}
