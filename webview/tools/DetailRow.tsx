import { type Ref, useEffect } from 'react';
import type { HostCommand } from '../../src/inspector/protocol/requests';
import type { ToolDetail, ToolView, TriedView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { CopyButton } from '../parts/CopyButton';
import { Arguments } from './Arguments';
import { Cell } from './Cell';
import { type FrameProps, RowFrame } from './RowFrame';
import { TryForm } from './TryForm';

interface Props {
  readonly frame: FrameProps;
  /** Passes the row's element, so that its height can be measured. */
  readonly ref: Ref<HTMLDivElement>;
  readonly tool: ToolView;
  /** Undefined until the host has answered. */
  readonly detail?: ToolDetail;
  /** The last run from the form. Its `run` is missing while the tool runs. */
  readonly tried?: { readonly run?: TriedView };
  readonly onTry: (id: string, input: { readonly [name: string]: unknown }) => void;
  readonly onAsk: (id: string) => void;
  readonly copy: (text: string) => void;
  readonly run: (command: HostCommand, server: string, tool: string) => void;
  /** Opens the playground with the queries that find this tool. */
  readonly onFindIt: (id: string) => void;
}

/** A tool's details: description, arguments, a form to try it, schema, and the reason for its loading. */
export function DetailRow({ frame, ref, tool, detail, tried, onTry, onAsk, copy, run, onFindIt }: Props) {
  const { t } = useText();
  useEffect(() => {
    if (!detail) onAsk(tool.id);
  }, [detail, onAsk, tool.id]);
  return (
    <RowFrame {...frame} ref={ref} className="dr">
      <Cell className="detail">
        <div>
          {detail ? (
            <>
              <p>{detail.description || t('detail.noDescription')}</p>
              <Arguments args={detail.args} />
              <details>
                <summary>{t('try.open')}</summary>
                <TryForm detail={detail} run={tried?.run} running={tried !== undefined && !tried.run} onTry={onTry} />
              </details>
              <details>
                <summary>{t('detail.schema')}</summary>
                <pre>{detail.schema}</pre>
              </details>
            </>
          ) : (
            <p className="dim">{t('detail.wait')}</p>
          )}
        </div>
        <Facts tool={tool} detail={detail} copy={copy} run={run} onFindIt={onFindIt} />
      </Cell>
    </RowFrame>
  );
}

function Facts({ tool, detail, copy, run, onFindIt }: Pick<Props, 'tool' | 'detail' | 'copy' | 'run' | 'onFindIt'>) {
  const text = useText();
  const { t } = text;
  const { discoveredAt } = tool;
  return (
    <dl>
      <dt>{t('detail.modelName')}</dt>
      <dd>
        <code>{tool.modelName}</code>
      </dd>
      <dt>{t('tools.reason')}</dt>
      <dd>{tool.reasonLong || '–'}</dd>
      {discoveredAt && (
        <>
          <dt>{t('detail.discovered')}</dt>
          <dd>{t('detail.discoveredBy', discoveredAt)}</dd>
        </>
      )}
      <dt>{t('tools.calls')}</dt>
      <dd>
        {tool.calls > 0 ? t('detail.callsTime', { n: tool.calls, time: text.duration(tool.callMs) }) : text.number(0)}
      </dd>
      {detail && <DetailFacts detail={detail} />}
      <dt />
      <FactActions tool={tool} detail={detail} copy={copy} run={run} onFindIt={onFindIt} />
    </dl>
  );
}

/** The facts that the host sends only when the row is opened. */
function DetailFacts({ detail }: { readonly detail: ToolDetail }) {
  const { t, tokens } = useText();
  return (
    <>
      {detail.marks.length > 0 && (
        <>
          <dt>
            <Codicon name="warning" tone="warn" /> {t('detail.marks')}
          </dt>
          <dd>
            {detail.marks.map((mark) => (
              <div key={mark}>{mark}</div>
            ))}
          </dd>
        </>
      )}
      <dt>{t('detail.annotations')}</dt>
      <dd>{detail.annotations.join(', ') || t('detail.noAnnotations')}</dd>
      <dt>{t('detail.examples')}</dt>
      <dd>
        {detail.examples.length === 0 && t('detail.noExamples')}
        {detail.examples.map((example) => (
          <div key={`${example.args} ${example.description}`}>
            <code>{example.args}</code> {example.description}
          </div>
        ))}
        {detail.examples.length > 0 && (
          <div className="dim">{t('detail.exampleTokens', { tokens: tokens(detail.exampleTokens) })}</div>
        )}
      </dd>
    </>
  );
}

function FactActions({ tool, detail, copy, run, onFindIt }: Parameters<typeof Facts>[0]) {
  const { t } = useText();
  return (
    <dd className="acts">
      {tool.changed &&
        (['compareChanged', 'acceptChanged'] as const).map((command) => (
          <button type="button" key={command} className="link" onClick={() => run(command, tool.server, tool.id)}>
            {t(`action.${command}`)}
          </button>
        ))}
      {detail && <CopyButton label={t('action.copySchema')} onCopy={() => copy(detail.schema)} />}
      {tool.loading !== 'omitted' && (
        <button type="button" className="link" onClick={() => onFindIt(tool.id)}>
          {t('play.findIt')}
        </button>
      )}
    </dd>
  );
}
