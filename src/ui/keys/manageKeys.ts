import * as vscode from 'vscode';
import { SERVICES, type Service } from '../../core/settings/modelServices';
import { plainMessage } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import type { ApiKey, ApiKeys } from './apiKeys';

/** Tests whether a service accepts a key. Returns the number of its models, or the reason for a failure. */
type TestKey = (
  service: Service,
  key: string,
) => Promise<{ readonly ok: true; readonly models: number } | { readonly ok: false; readonly message: string }>;

/** Lets the user set, test and remove keys. A key is never shown after it was typed. */
export async function manageKeys(keys: ApiKeys, test: TestKey): Promise<void> {
  const services = Object.values(SERVICES);
  const items = await Promise.all(
    services.map(async (service) => ({
      label: service.name,
      description: describe(service, await keys.get(service.id)),
      service,
    })),
  );
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('API keys: choose a service') });
  if (picked) await manageKey(keys, picked.service, test);
}

async function manageKey(keys: ApiKeys, service: Service, test: TestKey): Promise<void> {
  const key = await keys.get(service.id);
  const actions = [
    { label: vscode.l10n.t('Set Key'), run: () => setKey(keys, service, test) },
    ...(key ? [{ label: vscode.l10n.t('Test Key'), run: () => tellTest(service, key.value, test) }] : []),
    ...(key?.from === 'stored' ? [{ label: vscode.l10n.t('Remove Key'), run: () => removeKey(keys, service) }] : []),
  ];
  const picked = await vscode.window.showQuickPick(actions, {
    placeHolder: `${service.name}: ${describe(service, key)}`,
  });
  await picked?.run();
}

function describe(service: Service, key: ApiKey | undefined): string {
  if (!key) return vscode.l10n.t('no key');
  return key.from === 'stored'
    ? vscode.l10n.t("a key is in VS Code's secret storage")
    : vscode.l10n.t('a key is in the environment variable {0}', service.variable);
}

async function setKey(keys: ApiKeys, service: Service, test: TestKey): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('{0}: API key', service.name),
    prompt: vscode.l10n.t(
      'The key is kept in VS Code’s secret storage and sent only to the address in {0}.',
      service.setting,
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^\S+$/.test(text.trim())
        ? undefined
        : vscode.l10n.t('A key is one word of letters, digits and signs, without spaces.'),
  });
  if (!typed) return;
  const key = typed.trim();
  await keys.set(service.id, key);
  await tellTest(service, key, test);
}

async function tellTest(service: Service, key: string, test: TestKey): Promise<void> {
  const result = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Testing the key of {0}', service.name) },
    () => test(service, key),
  );
  if (result.ok) {
    void vscode.window.showInformationMessage(
      counted(
        vscode.l10n.t(
          '{0} takes the key. {1, plural, one {# model with tool search is} other {# models with tool search are}} in the model picker.',
        ),
        service.name,
        result.models,
      ),
    );
  } else
    void vscode.window.showErrorMessage(
      vscode.l10n.t('The key of {0} can’t be used: {1}', service.name, plainMessage(result.message)),
    );
}

async function removeKey(keys: ApiKeys, service: Service): Promise<void> {
  await keys.remove(service.id);
  void vscode.window.showInformationMessage(vscode.l10n.t('The key of {0} was removed.', service.name));
}
