import type { ResultPart } from './transcript';

/** Returns a result part as the text that a model gets. */
function partText(part: ResultPart): string {
  return part.type === 'text' ? part.text : `[${part.mimeType}, ${part.bytes} bytes, not shown]`;
}

/** Returns a whole result as the text that a model gets. */
export function resultText({ parts }: { readonly parts: readonly ResultPart[] }): string {
  return parts.map(partText).join('\n');
}
