import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import { pinOf } from '../../core/settings/pins';
import type { Redact } from '../../core/util/knownSecrets';
import { plainMessage } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import type { PinStore } from '../../vscode/pins';
import type { SettingsStore } from '../../vscode/settings';
import type { ApiKeys } from '../keys/apiKeys';
import { manageKeys, type TestKey } from '../keys/manageKeys';
import { selectDelivery, selectMode, selectStrategy } from './choices';
import { type FindToolsDeps, findTools, pinTool } from './findTools';

/** What the commands work on. */
interface CommandsDeps {
  readonly settings: SettingsStore;
  readonly pins: PinStore;
  readonly keys: ApiKeys;
  readonly testKey: TestKey;
  readonly log: vscode.LogOutputChannel;
  readonly catalog: () => Catalog;
  /** Looks at the tools again, and reads the files that name the servers. */
  readonly refresh: () => Promise<Catalog>;
  /** Names of strategies that other extensions registered. */
  readonly registeredStrategies: () => readonly string[];
  readonly createFilter: FindToolsDeps['createFilter'];
  readonly loadingOf: FindToolsDeps['loadingOf'];
  readonly openInspector: (place: unknown) => Promise<void>;
  /** Starts these servers, by the user's wish. */
  readonly startServers: (names: readonly string[]) => Promise<void>;
  /** What is in effect and why, as text. */
  readonly configuration: () => string;
  /** Copies what a client of the MCP endpoint needs. */
  readonly copyMcpEntry: () => Promise<void>;
  readonly exportSession: () => Promise<void>;
  readonly openExportedSession: () => Promise<void>;
  /** Takes secrets out of what is shown or copied. */
  readonly redact: Redact;
  /** Forgets what the user answered for `${input:…}`; returns how many answers there were. */
  readonly forgetInputs: () => Promise<number>;
  /** Asks, and removes all that is kept on this machine. */
  readonly removeStoredData: () => Promise<void>;
  /** Forgets what use taught; says of how many tools. */
  readonly forgetLearnt: () => Promise<number>;
}

/** Registers the commands of the palette. A command that fails tells the user, and the log the rest. */
export function registerCommands(deps: CommandsDeps): vscode.Disposable {
  const tools = (): FindToolsDeps => ({
    tools: deps.catalog().tools,
    createFilter: deps.createFilter,
    loadingOf: deps.loadingOf,
    pinOf: (target) => pinOf(deps.pins.current, target),
    pin: (target, pin) => deps.pins.set(target, pin),
  });
  const commands: { readonly [name: string]: (...given: unknown[]) => void | Promise<void> } = {
    openInspector: deps.openInspector,
    startServers: (...names) => deps.startServers(names.map(String)),
    copyConfiguration: async () => {
      await vscode.env.clipboard.writeText(deps.redact(deps.configuration()));
      vscode.window.setStatusBarMessage(
        vscode.l10n.t('The effective settings and their reasons are in the clipboard'),
        5000,
      );
    },
    copyMcpEntry: deps.copyMcpEntry,
    exportSession: deps.exportSession,
    openExportedSession: deps.openExportedSession,
    selectStrategy: () => selectStrategy(deps.settings, deps.registeredStrategies()),
    selectDelivery: () => selectDelivery(deps.settings),
    selectMode: () => selectMode(deps.settings),
    findTools: () => findTools(tools()),
    pinTool: () => pinTool(tools()),
    resetPins: () => resetPins(deps.pins),
    manageKeys: () => manageKeys(deps.keys, deps.testKey),
    refreshCatalog: async () => {
      const catalog = await deps.refresh();
      vscode.window.setStatusBarMessage(
        counted(
          vscode.l10n.t('{0, plural, one {# tool} other {# tools}} of {1, plural, one {# server} other {# servers}}'),
          catalog.tools.length,
          catalog.servers.length,
        ),
        5000,
      );
    },
    forgetLearnt: async () => {
      const count = await deps.forgetLearnt();
      void vscode.window.showInformationMessage(
        counted(
          vscode.l10n.t(
            'Forgot the words that {0, plural, one {# tool was} other {# tools were}} asked for with in this workspace.',
          ),
          count,
        ),
      );
    },
    forgetInputs: async () => {
      const count = await deps.forgetInputs();
      void vscode.window.showInformationMessage(
        counted(
          vscode.l10n.t(
            'Forgot {0, plural, one {# input} other {# inputs}} of mcp.json. Servers ask again when they start.',
          ),
          count,
        ),
      );
    },
    removeStoredData: deps.removeStoredData,
    showLog: () => deps.log.show(),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`toolsearch.${name}`, async (...given: unknown[]) => {
        try {
          await run(...given);
        } catch (error) {
          deps.log.error(`toolsearch.${name}`, error instanceof Error ? error : String(error));
          const message = error instanceof Error ? error.message : String(error);
          void vscode.window.showErrorMessage(vscode.l10n.t('Tool Search: {0}', plainMessage(deps.redact(message))));
        }
      }),
    ),
  );
}

async function resetPins(pins: PinStore): Promise<void> {
  const count = Object.keys(pins.current.tools).length + Object.keys(pins.current.servers).length;
  if (count === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There are no pins.'));
    return;
  }
  const reset = vscode.l10n.t('Reset');
  const answer = await vscode.window.showWarningMessage(
    counted(vscode.l10n.t('{0, plural, one {Reset the pin} other {Reset all # pins}} of this workspace?'), count),
    { modal: true },
    reset,
  );
  if (answer === reset) await pins.reset();
}
