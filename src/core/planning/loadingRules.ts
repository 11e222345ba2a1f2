/**
 * The rules that decide how a tool is loaded. The first eight are asked in this order, and reasons give their numbers.
 * Before them all come `hidden` and then `callers`, which have no number: no other rule can overrule these.
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
