import type { ToolDefinition } from '../catalog/tool';
import { joinedSince, joinedTools } from '../conversation/joinedTools';
import type { Transcript } from '../conversation/transcript';
import { conversationPlanOf } from './conversationPlan';
import { sentDefinitions } from './discovery';

/**
 * Returns the definitions that a conversation with this model contains and keeps, by id. Empty for a model whose
 * requests don't keep their beginning.
 * @param model `vendor/id`
 */
export function sentTools(
  transcript: Transcript,
  model: string,
  opening = conversationPlanOf(transcript),
): Map<string, ToolDefinition> {
  const base = opening?.grounds.model === model ? opening.base : undefined;
  if (!base) return new Map();
  const joined = joinedTools(joinedSince(base, transcript));
  return new Map(
    [...(base.found ?? []), ...sentDefinitions(transcript).values(), ...joined, ...base.tools].map((tool) => [
      tool.id,
      tool,
    ]),
  );
}
