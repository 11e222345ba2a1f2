// Decides whether our scripts or the provider's code may call tools in a turn.

import type { Catalog } from '../catalog/catalog';
import { providerPermission } from '../code/callPermission';
import type { ModelInfo } from '../ports';
import type { Settings } from '../settings/settings';
import type { CallingAgent } from './agentRules';

/** The minimum context window for scripts, in tokens. A smaller one has little room for scripts and their results. */
const MIN_CODE_WINDOW = 32_000;

/** Whether a turn's model is offered `run_code`. A window of unknown size counts as large enough. */
export function offersCode({ codeMode }: Pick<Settings, 'codeMode'>, model: ModelInfo, deferred: number): boolean {
  if (codeMode === 'off' || !model.toolCalling) return false;
  return codeMode === 'on' || (deferred > 0 && (model.maxInputTokens === 0 || model.maxInputTokens >= MIN_CODE_WINDOW));
}

/**
 * Whether the provider's code may call tools: only those that `toolsearch.allowedCallers` names, and none if the user
 * turned our own scripts on. Another agent runs its calls itself, and can't continue code that waits for them.
 */
export function usesProviderCode(inputs: {
  readonly model: ModelInfo;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly agent?: CallingAgent;
}): boolean {
  const { model, settings, catalog, agent } = inputs;
  if (model.runsCode !== true || agent || settings.codeMode === 'on') return false;
  const permission = providerPermission(settings);
  return catalog.tools.some((tool) => permission(tool) !== undefined);
}
