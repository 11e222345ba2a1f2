import * as vscode from 'vscode';
import { TextDocuments } from '../../vscode/textDocuments';
import type { SuggestionControllerDeps } from '../suggestions/suggestionController';
import { exportAsking } from './exportSession';
import { createInspectorSource, createViewInputs, type InspectorSourceDeps, inspectorStrings } from './inspectorSource';
import { InspectorPanel } from './panel';

/** The data that the inspector shows, the actions that it offers, and its files. */
export interface InspectorDeps extends Omit<InspectorSourceDeps, 'dismissed' | 'openText'> {
  readonly version: string;
  readonly extensionUri: vscode.Uri;
  readonly memento: vscode.Memento;
}

/** A window's inspector: its panel and its export. It is loaded at its first use. */
export type Inspector = ReturnType<typeof createInspector>;

export function createInspector(deps: InspectorDeps) {
  const strings = inspectorStrings();
  const texts = new TextDocuments('toolsearch-exchange');
  const sourceDeps: InspectorSourceDeps = {
    ...deps,
    dismissed: dismissedIn(deps.memento),
    openText: async (name, text) => {
      await vscode.window.showTextDocument(texts.put(name, text), { viewColumn: vscode.ViewColumn.Beside });
    },
  };
  const session = createViewInputs(sourceDeps, strings);
  const panel = new InspectorPanel(deps.extensionUri, createInspectorSource(sourceDeps, session), strings);
  return {
    panel,
    export: () => exportAsking({ ...deps, session }),
    dispose: () => vscode.Disposable.from(panel, texts).dispose(),
  };
}

const DISMISSED = 'dismissedSuggestions';

function dismissedIn(memento: vscode.Memento): SuggestionControllerDeps['dismissed'] {
  return {
    get: () => {
      const kept = memento.get<unknown>(DISMISSED);
      return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
    },
    set: async (ids) => memento.update(DISMISSED, ids),
  };
}
