/** A message's content as blocks. */
export const blocksOf = (content) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
