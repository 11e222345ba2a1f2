import type { Tool } from '../catalog/tool';
import type { ConversationPlan, Transcript } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import { cut } from '../util/cut';
import { groupBy } from '../util/groupBy';
import { shortHash } from '../util/hash';
import { l10n } from '../util/l10n';

/** Returns the plan that the newest reply with a plan was asked with; undefined before the first. */
export function conversationPlanOf(transcript: Transcript): ConversationPlan | undefined {
  const item = transcript.findLast((other) => other.kind === 'assistant' && other.opening !== undefined);
  return item?.kind === 'assistant' ? item.opening : undefined;
}

/** The same items without what they decided. */
export function withoutConversationPlan(items: Transcript): Transcript {
  return items.map((item) => (item.kind === 'assistant' ? { ...item, opening: undefined } : item));
}

/** The inputs that a conversation's decisions depend on. */
interface PlanInputsHash {
  readonly settings: Settings;
  readonly pins: Pins;
  readonly model?: ModelInfo | undefined;
  readonly catalog: { readonly tools: readonly Tool[] };
}

/** Each of the grounds in a short form, to be compared. A server's tools may change without one of them. */
export function planInputsHash({ settings, pins, model, catalog }: PlanInputsHash): ConversationPlan['grounds'] {
  const { mode, autoContextPercent, autoMaxTools, scope, coreTools, eagerTools, deferredTools, hiddenTools } = settings;
  const { strategy, delivery, guidance, guidanceTokens } = settings;
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
      guidanceTokens,
    ]),
    pins: short(pins),
    model: model ? `${model.vendor}/${model.id}` : '',
    servers: short(servers),
  };
}

/** Names in words the inputs that changed since the conversation was opened. */
export function changedPlanInputs(opening: ConversationPlan, now: ConversationPlan['grounds']): readonly string[] {
  const words = {
    settings: l10n.t('settings'),
    pins: l10n.t('pins'),
    model: l10n.t('model'),
    servers: l10n.t('servers'),
  };
  return (Object.keys(words) as (keyof typeof words)[])
    .filter((part) => opening.grounds[part] !== now[part])
    .map((part) => words[part]);
}

/** How many deferred tools each server has. */
export function countByServer(tools: readonly Tool[]): { readonly [server: string]: number } {
  const counts = new Map<string, number>();
  for (const { server } of tools) counts.set(server, (counts.get(server) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Names of each server's tools, in their order. */
export function namesByServer(tools: readonly Tool[]): NonNullable<ConversationPlan['names']> {
  return Object.fromEntries(
    [...groupBy(tools, ({ server }) => server)].map(([server, own]) => [server, own.map(({ name }) => name)]),
  );
}

/**
 * Words the tools that can be found now and couldn't be found before, for the end of the conversation: its prefix
 * stays as it is. Undefined if there is nothing new. Servers' names are data from outside: quoted and cut.
 */
export function newsSince(told: ConversationPlan['told'], now: ConversationPlan['told']): string | undefined {
  const news = Object.entries(now).flatMap(([server, count]) => {
    const before = Object.hasOwn(told, server) ? told[server] : undefined;
    const more = count - (before ?? 0);
    return more > 0 ? [`${more} ${before === undefined ? '' : 'more '}of ${JSON.stringify(cut(server, 40))}`] : [];
  });
  return news.length > 0
    ? `(Tools have come since this conversation began: ${news.slice(0, 30).join(', ')}. A search finds them too.)`
    : undefined;
}
