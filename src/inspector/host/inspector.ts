import * as vscode from 'vscode';
import type { SettingsStore } from '../../vscode/settings';
import type { SuggestionControllerDeps } from '../suggestions/controller';
import { createText } from '../text/text';
import { auditText } from '../view/audit';
import { createInspectorSource, createViewInputs, type InspectorSourceDeps, inspectorStrings } from './inspectorSource';
import { InspectorPanel } from './panel';
import { SessionFiles, type SessionFilesDeps } from './sessionFiles';
import { createSuggestionActions } from './suggestionActions';

/** What the inspector shows, what it can change, and where its files are. */
export interface InspectorDeps
  extends Omit<InspectorSourceDeps, 'suggestions' | 'settings'>,
    Omit<SessionFilesDeps, 'session' | 'strings'> {
  readonly settings: SettingsStore;
  readonly suggestions: Pick<SuggestionControllerDeps, 'find' | 'findable' | 'showServer'>;
}

/** A window's inspector. The first that asks for it loads it: no window needs it to start. */
export interface Inspector extends vscode.Disposable {
  /** Its editor tab. */
  readonly panel: InspectorPanel;
  /** Exports of the session, and those that are opened. */
  readonly files: SessionFiles;
  /** What is known of the tools' cost and use, as text for a model. */
  audit(): string;
}

export function createInspector({ settings, suggestions, ...deps }: InspectorDeps): Inspector {
  const strings = inspectorStrings();
  const shown: InspectorSourceDeps = {
    ...deps,
    settings: () => settings.current,
    suggestions: { ...suggestions, ...createSuggestionActions(settings, deps.memento) },
  };
  const session = createViewInputs(shown, strings);
  const files = new SessionFiles({ ...deps, session, strings });
  const source = createInspectorSource(shown, session, files.handle);
  const panel = new InspectorPanel(deps.extensionUri, source, strings);
  return {
    panel,
    files,
    audit: () => auditText(source.state(undefined), createText(strings, vscode.env.language)),
    dispose: () => vscode.Disposable.from(panel, files).dispose(),
  };
}
