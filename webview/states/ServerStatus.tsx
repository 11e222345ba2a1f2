import type { ServerView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';

const ICONS = {
  running: ['pass', 'ok'],
  starting: ['loading', 'codicon-modifier-spin'],
  stopped: ['circle-slash', ''],
  failed: ['error', 'err'],
  untrusted: ['lock', ''],
} as const;

/** A server's state as an icon with words. */
export function ServerStatus({ server }: { readonly server: ServerView }) {
  const { t } = useText();
  if (server.state === 'running' && server.problems.length > 0) {
    return <Codicon name="warning" tone="warn" label={t('server.problem')} />;
  }
  const [name, tone] = ICONS[server.state];
  return <Codicon name={name} tone={tone} label={t(`server.${server.state}`)} />;
}
