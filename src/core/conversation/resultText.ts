import type { ResultPart } from './transcript';

/** Returns a whole result as the text that a model gets. */
export function resultText({ parts }: { readonly parts: readonly ResultPart[] }): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}, ${part.bytes} bytes, not shown]`))
    .join('\n');
}
