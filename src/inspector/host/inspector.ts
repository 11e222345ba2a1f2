/** The inspector of a window: its panel, the panels of exported sessions, and its summary for models. */
import * as vscode from 'vscode';
import type { SettingsStore } from '../../vscode/settings';
import type { SuggestionControllerDeps } from '../suggestions/controller';
import type { SuggesterDeps } from '../suggestions/suggester';
import { createText } from '../text/text';
import { auditText } from '../view/audit';
import { createInspectorSource, createViewInputs, type InspectorSourceDeps, inspectorStrings } from './inspectorSource';
import { InspectorPanel } from './panel';
import { SessionFiles, type SessionFilesDeps } from './sessionFiles';
import { createSuggestionActions } from './suggestionActions';
import { TextViewer } from './textViewer';
import { createWordsSuggestion, type WordsSuggestionDeps } from './wordsSuggestion';

/** The data that the inspector shows, the actions that it offers, and its files. */
export interface InspectorDeps extends Pick<InspectorSourceDeps, 'shown' | 'actions' | 'loadWhatIf'> {
  readonly settings: SettingsStore;
  readonly pins: InspectorSourceDeps['user']['pins'];
  readonly suggestions: Pick<SuggestionControllerDeps, 'showServer'> & Pick<SuggesterDeps, 'search'>;
  readonly words: WordsSuggestionDeps;
  readonly files: Omit<SessionFilesDeps, 'session' | 'strings' | 'loadWhatIf'>;
}

/** A window's inspector. It is loaded at its first use, since windows can start without it. */
export interface Inspector extends vscode.Disposable {
  /** The editor tab of the inspector. */
  readonly panel: InspectorPanel;
  /** Exports the session, and opens exported sessions. */
  readonly files: SessionFiles;
  /** Returns the tools' cost and use as text for a model. */
  audit(): string;
}

export function createInspector({
  settings,
  pins,
  suggestions,
  words,
  files: fileDeps,
  ...deps
}: InspectorDeps): Inspector {
  const strings = inspectorStrings();
  const viewer = new TextViewer();
  const sourceDeps: InspectorSourceDeps = {
    ...deps,
    user: { settings: () => settings.current, pins },
    suggestions: {
      ...suggestions,
      ...createSuggestionActions(settings, fileDeps.memento),
      words: createWordsSuggestion(words),
    },
    secrets: fileDeps.secrets,
    openText: (name, text) => viewer.show(name, text),
  };
  const session = createViewInputs(sourceDeps, strings);
  const files = new SessionFiles({ ...fileDeps, loadWhatIf: deps.loadWhatIf, session, strings });
  const source = createInspectorSource(sourceDeps, session, files.handle);
  const panel = new InspectorPanel(fileDeps.extensionUri, source, strings);
  return {
    panel,
    files,
    audit: () => auditText(source.state(undefined), createText(strings, vscode.env.language)),
    dispose: () => vscode.Disposable.from(panel, files, viewer).dispose(),
  };
}
