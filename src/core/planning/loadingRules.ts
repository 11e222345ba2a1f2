/** The eight rules, in order; before them all `callers`: what only scripts may call is never in a request. */
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
] as const;
/** Which of them decided on a tool. */
export type LoadingRule = (typeof LOADING_RULES)[number];
