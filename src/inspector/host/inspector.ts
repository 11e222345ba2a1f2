/** The inspector of a window: its panel, exported sessions, and its summary for models. */
import * as vscode from 'vscode';
import type { SettingsStore } from '../../vscode/settings';
import type { SuggestionControllerDeps } from '../suggestions/controller';
import { createText } from '../text/text';
import { auditText } from '../view/audit';
import { createInspectorSource, createViewInputs, type InspectorSourceDeps, inspectorStrings } from './inspectorSource';
import { InspectorPanel } from './panel';
import { SessionFiles, type SessionFilesDeps } from './sessionFiles';
import { createSuggestionActions } from './suggestionActions';
import { TextViewer } from './textViewer';
import { createWordsSuggestion, type WordsSuggestionDeps } from './wordsSuggestion';

/** Dependencies of the inspector: what it shows, what it can change, and its files. */
export interface InspectorDeps extends Pick<InspectorSourceDeps, 'shown' | 'actions' | 'loadWhatIf'> {
  readonly settings: SettingsStore;
  readonly pins: InspectorSourceDeps['user']['pins'];
  readonly suggestions: Pick<SuggestionControllerDeps, 'find' | 'findable' | 'showServer'>;
  readonly words: WordsSuggestionDeps;
  readonly files: Omit<SessionFilesDeps, 'session' | 'strings' | 'loadWhatIf'>;
}

/** A window's inspector. It is loaded when it is first needed: no window needs it to start. */
export interface Inspector extends vscode.Disposable {
  /** Its editor tab. */
  readonly panel: InspectorPanel;
  /** Exports of the session, and exported sessions. */
  readonly files: SessionFiles;
  /** The tools' cost and use as text for a model. */
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
