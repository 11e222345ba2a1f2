import type { Wire } from '../core/conversation/transcript';
import type { ModelRequest } from '../core/ports';

/**
 * Returns the service's id of the last reply by a model. The service compares the new request with that reply's request
 * to explain a cache miss.
 */
export function lastReplyId({ transcript }: ModelRequest, wire: Wire, model: string): string | undefined {
  const replies = transcript.flatMap((item) => (item.kind === 'assistant' ? (item.opaque ?? []) : []));
  return replies.findLast((block) => block.wire === wire && block.model === model)?.id;
}
