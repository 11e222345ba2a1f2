/** The design's seven rules, in order. */
export const LOADING_RULES = ['pin', 'reference', 'deferredTools', 'eagerTools', 'hint', 'scope', 'mode'] as const;
/** Which of them decided on a tool. */
export type LoadingRule = (typeof LOADING_RULES)[number];
