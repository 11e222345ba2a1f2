import { useEffect, useMemo } from 'react';
import type { PlayQuestion } from '../../src/inspector/protocol/requests';
import type { Standing, ToolView, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav } from '../nav';
import { Toggle } from '../parts/Toggle';
import type { Played } from '../playgroundAsker';
import { NoServers } from '../states/Empty';
import { ServerList } from '../states/ServerList';
import type { Store } from '../store';
import { Comparison } from './Comparison';
import { Intro } from './Intro';
import { Queries } from './Queries';
import { ToolPicker } from './ToolPicker';

interface Props {
  readonly state: ViewState;
  readonly play: Nav['play'];
  readonly played?: Played;
  readonly receivedAt: number;
  readonly store: Store;
}

/**
 * The playground: one query under every strategy, or every query for one tool. The host searches; nothing is sent to a
 * model.
 */
export function Playground({ state, play, played, receivedAt, store }: Props) {
  const { t } = useText();
  const about = `${state.revision} ${state.header.strategy.name}`;
  const tools = useMemo(() => state.tools.filter((tool) => tool.loading !== 'omitted'), [state.tools]);
  const ready = tools.length > 0 && (play.mode === 'query' ? play.query.trim() !== '' : play.tool !== undefined);
  useEffect(() => {
    if (ready) store.play(play, about);
  }, [ready, play, about, store]);
  const own = state.servers.filter((server) => !server.editor);
  const listed = new Set(tools.map((tool) => tool.server));
  if (!state.noServers && !own.some(({ name }) => listed.has(name)))
    return <ServerList servers={own} shown={own} tools={0} receivedAt={receivedAt} run={store.run} />;
  if (tools.length === 0) {
    return (
      <div className="hello">
        <NoServers run={store.run} />
      </div>
    );
  }
  const change = (part: Partial<PlayQuestion>) => store.navigate({ play: { ...play, ...part } });
  // The previous answer of the same kind stays until the next one arrives, so that the page doesn't flicker during
  // typing.
  const answer = ready && played?.question.mode === play.mode ? played.answer : undefined;
  const inUse = answer?.mode === 'query' ? answer.columns[0]?.strategy : undefined;
  return (
    <div className="play">
      <div className="bar">
        {play.mode === 'tool' && <ToolPicker tools={tools} tool={play.tool} onPick={(tool) => change({ tool })} />}
        <input
          type="text"
          className="query"
          value={play.query}
          aria-label={t('play.query')}
          placeholder={t(play.mode === 'tool' ? 'play.alsoTry' : 'play.queryHint')}
          spellCheck={false}
          maxLength={2000}
          onChange={(event) => change({ query: event.target.value })}
        />
        <Toggle
          label={t('play.direction')}
          options={[
            ['query', t('play.toTools')],
            ['tool', t('play.toQueries')],
          ]}
          value={play.mode}
          onChange={(mode) => change({ mode })}
        />
        <Toggle
          label={t('play.scope')}
          options={[
            ['all', t('play.all')],
            ['deferred', t('play.deferred')],
          ]}
          value={play.scope}
          onChange={(scope) => change({ scope })}
        />
        <span className="dim free">
          {inUse ? t('play.against', { strategy: inUse }) : play.mode === 'query' && t('play.free')}
        </span>
      </div>
      {!ready && <Intro mode={play.mode} tools={tools} onTry={(query) => change({ query })} />}
      {answer?.mode === 'query' && <Comparison answer={answer} loading={loadings(tools)} />}
      {answer?.mode === 'tool' && <Queries answer={answer} onTry={(query) => change({ mode: 'query', query })} />}
    </div>
  );
}

function loadings(tools: readonly ToolView[]): ReadonlyMap<string, Standing> {
  return new Map(tools.map((tool) => [tool.id, tool.loading]));
}
