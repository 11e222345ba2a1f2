// The decisions that a conversation's first request makes for all later ones, and whether their inputs changed since.

import type { Tool } from '../catalog/tool';
import type { ConversationPlan, Transcript } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import { groupBy } from '../util/groupBy';
import { shortHash } from '../util/hash';
import { l10n } from '../util/l10n';

/** Returns the newest plan that was made for a model, or else the newest of all, which shows what has changed. */
export function conversationPlanOf(transcript: Transcript, model: ModelInfo | undefined): ConversationPlan | undefined {
  const plans = transcript.flatMap((item) => (item.kind === 'assistant' && item.conversationPlan) || []);
  return plans.findLast(({ inputHashes }) => inputHashes.model === nameOf(model)) ?? plans.at(-1);
}

function nameOf(model: ModelInfo | undefined): string {
  return model ? `${model.vendor}/${model.id}` : '';
}

export function withoutConversationPlan(items: Transcript): Transcript {
  return items.map((item) => (item.kind === 'assistant' ? { ...item, conversationPlan: undefined } : item));
}

/** The inputs that a conversation's plan depends on. */
interface PlanInputsHash {
  readonly settings: Settings;
  readonly pins: Pins;
  readonly model?: ModelInfo | undefined;
  readonly catalog: { readonly tools: readonly Tool[] };
}

/** Returns a short hash of each input. That of the servers has only names, so that changed tools don't change it. */
export function planInputsHash({ settings, pins, model, catalog }: PlanInputsHash): ConversationPlan['inputHashes'] {
  const { mode, autoContextPercent, autoMaxTools, scope, coreTools, eagerTools, deferredTools, hiddenTools } = settings;
  const { strategy, delivery, guidance } = settings;
  const servers = [...new Set(catalog.tools.map((tool) => tool.server))];
  const short = (value: unknown) => shortHash(JSON.stringify(value));
  return {
    settings: short([
      mode,
      autoContextPercent,
      autoMaxTools,
      scope,
      coreTools,
      eagerTools,
      deferredTools,
      ...(Object.keys(hiddenTools).length > 0 ? [hiddenTools] : []),
      strategy,
      delivery,
      guidance,
    ]),
    pins: short(pins),
    model: nameOf(model),
    servers: short(servers),
  };
}

/** Returns the names of the inputs that changed since the conversation began, in words for the user. */
export function changedPlanInputs(
  conversationPlan: ConversationPlan,
  now: ConversationPlan['inputHashes'],
): readonly string[] {
  const words = {
    settings: l10n.t('settings'),
    pins: l10n.t('pins'),
    model: l10n.t('model'),
    servers: l10n.t('servers'),
  };
  return (Object.keys(words) as (keyof typeof words)[])
    .filter((part) => conversationPlan.inputHashes[part] !== now[part])
    .map((part) => words[part]);
}

export function countByServer(tools: readonly Tool[]): { readonly [server: string]: number } {
  const counts = new Map<string, number>();
  for (const { server } of tools) counts.set(server, (counts.get(server) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Returns the names of each server's tools, in their order. */
export function namesByServer(tools: readonly Tool[]): NonNullable<ConversationPlan['names']> {
  return Object.fromEntries(
    [...groupBy(tools, ({ server }) => server)].map(([server, own]) => [server, own.map(({ name }) => name)]),
  );
}
