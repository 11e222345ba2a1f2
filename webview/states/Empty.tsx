import type { HostCommand } from '../../src/inspector/protocol/requests';
import { useText } from '../hooks';
import { CopyButton } from '../parts/CopyButton';

interface Props {
  readonly noServers: boolean;
  /** A sentence on the content that will appear here later. */
  readonly why: string;
  readonly run: (command: HostCommand) => void;
  readonly copy: (text: string) => void;
}

/** A page without content: how to get servers if there are none, and a prompt to begin with. */
export function Empty({ noServers, why, run, copy }: Props) {
  const { t } = useText();
  return (
    <div className="hello">
      {noServers && <NoServers run={run} />}
      <h2>{t(noServers ? 'empty.thenAsk' : 'empty.noTurns')}</h2>
      <p className="dim">{why}</p>
      <div className="sample">
        <span>{t('empty.prompt')}</span>
        <CopyButton icon label={t('action.copyPrompt')} onCopy={() => copy(t('empty.prompt'))} />
      </div>
    </div>
  );
}

export function NoServers({ run }: { readonly run: (command: HostCommand) => void }) {
  const { t } = useText();
  return (
    <>
      <h2>{t('empty.noServers')}</h2>
      <p>{t('empty.noServersWhy')}</p>
      <div className="btns">
        <button type="button" className="btn" onClick={() => run('openMcpJson')}>
          {t('action.createMcpJson')}
        </button>
        <button type="button" className="btn two" onClick={() => run('addServer')}>
          {t('action.addServer')}
        </button>
      </div>
    </>
  );
}
