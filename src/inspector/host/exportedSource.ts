import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import type { FixedSearch } from '../../core/search/searchOver';
import type { SearchPort } from '../../core/search/types';
import { DEFAULT_SETTINGS } from '../../core/settings/settings';
import { once } from '../../core/util/once';
import { pause } from '../../core/util/signals';
import { yieldToEventLoop } from '../../core/util/yieldToEventLoop';
import { Playground } from '../playground/playground';
import type { OriginView } from '../protocol/export';
import type { ViewInputs } from '../protocol/inputs';
import type { FileRequest } from '../protocol/requests';
import type { ExportedSession } from '../sessionFile/format';
import { suggesterDepsOf } from '../sessionFile/suggesterDeps';
import { Suggester } from '../suggestions/suggester';
import { type LoadWhatIf, WhatIfTable } from '../suggestions/whatIfTable';
import { createText, type Strings } from '../text/text';
import { detailOf } from '../view/toolDetail';
import { ViewFold } from '../view/viewState';
import type { InspectorSource } from './panel';

interface ExportedDeps {
  readonly strings: Strings;
  /** Handles a request that exports or opens a file. */
  readonly files: (request: FileRequest) => Promise<void>;
  /** Creates the search over the session's tools. Called at the first search. */
  readonly searchOver: (tools: readonly Tool[]) => FixedSearch;
  readonly loadWhatIf: LoadWhatIf;
}

/**
 * Creates the source of a panel that shows an exported session. It is read-only and doesn't depend on the live session.
 */
export function createExportedSource(
  session: ExportedSession,
  origin: OriginView,
  { strings, files, searchOver, loadWhatIf }: ExportedDeps,
): InspectorSource {
  const locale = vscode.env.language;
  const text = createText(strings, locale);
  const fold = new ViewFold();
  const inputs: ViewInputs = {
    ...session,
    diagnostics: [],
    trusted: true,
    startingSince: new Map(),
    now: Date.now(),
    locale,
    strings,
  };
  const search = once(() => searchOver(session.catalog.tools));
  const { catalog, events, pins, mode, maxResults, maxResultsLimit } = session;
  // The file doesn't contain the other settings.
  const settings = { ...DEFAULT_SETTINGS, mode, maxResults, maxResultsLimit };
  const whatIf = new WhatIfTable(
    () => ({ events, catalog, settings, pins, scripts: true, search: search().port }),
    loadWhatIf,
  );
  const playground = once(() => createPlayground(session, search().port));
  let changed = () => {};
  const suggester = new Suggester(
    suggesterDepsOf(session, {
      search: { find: (query, limit) => search().find(query, limit), settled: () => search().settled() },
      clock: { pause, now: () => performance.now() },
    }),
    () => changed(),
  );
  // Dismissed suggestions are stored in the workspace, not in the file.
  const suggestions = () => ({ ...suggester.view(text, new Set()), done: [] });
  return {
    *prepare(watched) {
      yield* fold.prepare(inputs, watched);
      suggestions();
      yield undefined;
    },
    // Notices are left out, since they are about problems that can be solved now.
    state: (watched) => ({ ...fold.fold({ ...inputs, suggestions: suggestions() }, watched), notices: [], origin }),
    onDidChange: (listener) => {
      changed = listener;
      return () => {
        changed = () => {};
      };
    },
    handle: async (request, answer) => {
      switch (request.type) {
        case 'getTool':
          return answer({ type: 'tool', detail: detailOf(session.catalog, request.id, text) });
        case 'play':
          return playground().ask(request.question, (played) => answer({ type: 'played', answer: played }));
        case 'whatIf':
          return whatIf.ask(request, (table) => answer({ type: 'whatIf', table }));
        case 'stopWhatIf':
          return whatIf.stop();
        case 'export':
        case 'openExport':
        case 'openText':
          return files(request);
        default:
          throw new Error(vscode.l10n.t('An exported session can’t be changed.'));
      }
    },
  };
}

function createPlayground({ catalog, loading, maxResults }: ExportedSession, search: SearchPort): Playground {
  return new Playground({
    search,
    tool: (id) => catalog.byId.get(id),
    candidates: (scope) =>
      new Set(
        catalog.tools.flatMap(({ id }) => (scope === 'deferred' && loading.get(id)?.loading === 'eager' ? [] : [id])),
      ),
    // The file doesn't contain strategies of extensions.
    settings: () => ({ maxResults, strategy: 'auto' }),
    registered: () => [],
    pause: yieldToEventLoop,
  });
}
