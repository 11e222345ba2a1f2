import type { Wire } from '../core/conversation/transcript';
import type { ModelRequest } from '../core/ports';

/** Returns the service's id of a model's last reply. The service's report on its cache compares with that request. */
export function lastReplyId({ transcript }: ModelRequest, wire: Wire, model: string): string | undefined {
  const replies = transcript.flatMap((item) => (item.kind === 'assistant' ? (item.opaque ?? []) : []));
  return replies.findLast((block) => block.wire === wire && block.model === model)?.id;
}
