/** The inspector of a window: its panel and its export. */
import * as vscode from 'vscode';
import type { SettingsStore } from '../../vscode/settings';
import type { SuggestionControllerDeps } from '../suggestions/controller';
import { createInspectorSource, createViewInputs, type InspectorSourceDeps, inspectorStrings } from './inspectorSource';
import { InspectorPanel } from './panel';
import { exportAsking, type SessionFilesDeps } from './sessionFiles';
import { TextViewer } from './textViewer';

/** The data that the inspector shows, the actions that it offers, and its files. */
export interface InspectorDeps extends Pick<InspectorSourceDeps, 'shown' | 'actions'> {
  readonly settings: SettingsStore;
  readonly pins: InspectorSourceDeps['user']['pins'];
  readonly files: Omit<SessionFilesDeps, 'session'> & {
    readonly extensionUri: vscode.Uri;
    readonly memento: vscode.Memento;
  };
}

/** A window's inspector. It is loaded at its first use, since windows can start without it. */
export interface Inspector extends vscode.Disposable {
  /** The editor tab of the inspector. */
  readonly panel: InspectorPanel;
  /** Exports the session to a file. */
  export(): Promise<void>;
}

export function createInspector({ settings, pins, files, ...deps }: InspectorDeps): Inspector {
  const strings = inspectorStrings();
  const viewer = new TextViewer();
  const sourceDeps: InspectorSourceDeps = {
    ...deps,
    user: { settings: () => settings.current, pins },
    dismissed: dismissedIn(files.memento),
    secrets: files.secrets,
    openText: (name, text) => viewer.show(name, text),
  };
  const session = createViewInputs(sourceDeps, strings);
  const source = createInspectorSource(sourceDeps, session);
  const panel = new InspectorPanel(files.extensionUri, source, strings);
  return {
    panel,
    export: () => exportAsking({ ...files, session }),
    dispose: () => vscode.Disposable.from(panel, viewer).dispose(),
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
