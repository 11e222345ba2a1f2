import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { ModelError, type ModelRequest } from '../../core/ports';
import { type Capabilities, WITHOUT_SEARCH } from '../capabilities';
import { apiWords, statusOf } from './errors';

/** What the service refused so far of what we send it: left out from then on. */
export interface Refused {
  readonly tools: Set<string>;
  readonly examples: Set<string>;
}

/** What a refused request is read with. */
export interface Refusal {
  readonly error: unknown;
  readonly sent: MessageCreateParamsStreaming;
  readonly request: ModelRequest;
  readonly model: string;
  /** The model's name for people. */
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly refused: Refused;
}

/** How the service names a tool of the request: by its place. */
const TOOL_AT = /\btools\.(\d+)\b/;
/** Complaints about what we made of a request, not about what the model can do. */
const OUR_FAULT = /not found in available tools|at least one tool must|cannot use prompt caching/i;

/** The place of the tool that a request was refused for; undefined where it was refused for anything else. */
export function refusedAt(error: unknown): number | undefined {
  const at = statusOf(error) === 400 ? TOOL_AT.exec(apiWords(error) ?? '')?.[1] : undefined;
  return at === undefined ? undefined : Number(at);
}

/**
 * Learns from a refusal what can be sent instead.
 * @returns a sentence for the user, or '' where none is needed; undefined where nothing can be done
 * @throws ModelError where the turn has to be planned anew: the model has no tool search after all
 */
export function correct({ error, sent, request, model, name, capabilities, refused }: Refusal): string | undefined {
  const words = statusOf(error) === 400 ? apiWords(error) : undefined;
  if (words === undefined) return undefined;
  const native = request.delivery === 'server' || request.delivery === 'client';
  const at = refusedAt(error);
  const tool = at === undefined ? undefined : sent.tools?.[at];
  const isOwn = tool !== undefined && 'input_schema' in tool;
  const unknown = isOwn ? /defer_loading/ : /tool_search|tool search|defer_loading|tool_reference/i;
  if (native && !OUR_FAULT.test(words) && unknown.test(words)) {
    capabilities.learn('anthropic', model, WITHOUT_SEARCH);
    throw new ModelError(`${name} has no tool search of its own after all (${words}).`, { replan: true });
  }
  if (isOwn && /input_examples/.test(words) && !refused.examples.has(tool.name)) {
    refused.examples.add(tool.name);
    return `The examples of ${tool.name} are left out, since Anthropic refuses them: ${words}`;
  }
  if (isOwn && !refused.tools.has(tool.name)) {
    refused.tools.add(tool.name);
    return `The tool ${tool.name} is left out, since Anthropic refuses its definition: ${words}`;
  }
  if (sent.tool_choice && /tool_choice/.test(words) && capabilities.of('anthropic', model).forcesTools) {
    capabilities.learn('anthropic', model, { forcesTools: false });
    return '';
  }
  return undefined;
}
