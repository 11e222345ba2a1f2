import * as vscode from 'vscode';
import { ToolIndex } from '../core/search/index';
import { createSearchPort } from '../core/search/port';
import { StrategyRegistry } from '../core/search/registry';
import { DEFAULT_SETTINGS } from '../core/settings';
import type { ExportToHost, OriginView } from '../inspector/exportProtocol';
import type { InspectorSource } from '../inspector/panel';
import { Playground } from '../inspector/playground';
import { createText, type Strings } from '../inspector/protocol';
import type { Session } from '../inspector/sessionFile/format';
import { toolDetail } from '../inspector/toolDetail';
import type { ViewInputs } from '../inspector/viewInputs';
import { ViewFold } from '../inspector/viewState';
import { breathe } from './breathe';

/** What a panel shows of a session that was exported: as it was, whatever runs now. Nothing of it can be changed. */
export function createExportedSource(
  session: Session,
  origin: OriginView,
  strings: Strings,
  files: (request: ExportToHost) => Promise<void>,
): InspectorSource {
  const locale = vscode.env.language;
  const fold = new ViewFold();
  const inputs: ViewInputs = { ...session, diagnostics: [], trusted: true, startingSince: new Map(), now: Date.now(), locale, strings };
  const refuse = async () => {
    throw new Error(vscode.l10n.t('An exported session can’t be changed.'));
  };
  const playground = playgroundOf(session);
  return {
    prepare: (watched) => fold.prepare(inputs, watched),
    // Notices are of what could be done now.
    state: (watched) => ({ ...fold.fold(inputs, watched), notices: [], origin }),
    detail: (id) => {
      const tool = session.catalog.byId.get(id);
      return tool && toolDetail(tool, createText(strings, locale));
    },
    onDidChange: () => () => {},
    run: refuse,
    pin: refuse,
    play: (question, answer) => playground().ask(question, answer),
    suggest: refuse,
    files,
  };
}

/** Over the tools of the file, which are indexed when they are first searched. */
function playgroundOf({ catalog, loading }: Session): () => Playground {
  let made: Playground | undefined;
  const of = (scope: 'all' | 'deferred') =>
    new Set(catalog.tools.flatMap(({ id }) => (scope === 'deferred' && loading.get(id)?.loading === 'eager' ? [] : [id])));
  const indexed = () => {
    const index = new ToolIndex();
    index.follow(catalog.tools, breathe);
    return index;
  };
  return () => {
    made ??= new Playground({
      search: createSearchPort(indexed(), new StrategyRegistry()),
      tool: (id) => catalog.byId.get(id),
      candidates: of,
      settings: () => DEFAULT_SETTINGS,
      registered: () => [],
      pause: breathe,
    });
    return made;
  };
}
