import type { ConversationPlan } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import type { CallingAgent } from './agentRules';
import type { LoadingPlan } from './loading';

interface Wanted {
  /** Ids of the `#tool`s of the prompt. */
  readonly references: ReadonlySet<string>;
  /** Set if the user asked for an answer without calls. */
  readonly withoutTools?: true | undefined;
  readonly model: ModelInfo;
  readonly agent?: CallingAgent;
}

/**
 * Returns a sentence for the model on which tools the user wants for this question. Undefined if the request itself can
 * demand the call: that works for a single tool in its own list, not for one that joins the conversation.
 * @param base the conversation's beginning, if it stays
 */
export function wantedToolsNote(
  { eager }: Pick<LoadingPlan, 'eager'>,
  { references, model, agent, withoutTools }: Wanted,
  base: ConversationPlan['base'],
): string | undefined {
  if (agent) return undefined;
  if (withoutTools)
    return '(The user wants an answer to this question without tools. Do not call any; they are back with the next question.)';
  const named = eager.filter(({ id }) => references.has(id)).map(({ modelName }) => modelName);
  const [first] = named;
  if (first === undefined) return undefined;
  if (named.length > 1)
    return `(The user named these tools for this question: ${named.join(', ')}. Call one of them before any other tool.)`;
  const isListed = !base || base.tools.some(({ name }) => name === first);
  return model.forcesCalls && isListed ? undefined : `(The user named the tool ${first} for this question: call it.)`;
}
