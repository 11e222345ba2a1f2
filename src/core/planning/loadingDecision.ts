import type { Standing } from '../catalog/tool';

/**
 * The rules that decide how a tool is loaded. The first eight apply in this order, and a decision's reason gives their
 * number. `hidden` and then `callers` apply before these and have no number, since no other rule can overrule them.
 */
export const LOADING_RULES = [
  'pin',
  'reference',
  'deferredTools',
  'eagerTools',
  'hint',
  'scope',
  'core',
  'mode',
  'callers',
  'hidden',
] as const;
/** The rule that decided on a tool. */
export type LoadingRule = (typeof LOADING_RULES)[number];

/** How one tool is loaded, and why. */
export interface LoadingDecision {
  readonly loading: Exclude<Standing, 'discovered'>;
  readonly rule: LoadingRule;
  /** The reason in a few words, for a table's cell. */
  readonly reason: string;
  /** The reason as a whole sentence. */
  readonly reasonLong: string;
}
