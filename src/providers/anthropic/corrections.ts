import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { ModelError, type ModelRequest } from '../../core/ports';
import { l10n } from '../../core/util/l10n';
import { type Capabilities, type Capability, WITHOUT_SEARCH } from '../capabilities';
import { type Refusals, refusesRequest } from '../refusals';
import { apiWords, statusOf } from './errors';

// Learns from the service's refusals, so that requests leave out the parts that it refuses.

/** A refused request and what was known when it was made. */
interface RefusedRequest {
  readonly error: unknown;
  readonly sent: MessageCreateParamsStreaming;
  readonly request: ModelRequest;
  readonly model: string;
  /** The model's name for people. */
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly refusals: Refusals;
  /** The ids of containers that the service no longer has. The set grows. */
  readonly lost: Set<string>;
}

/**
 * The place by which the service names a tool of the request. A complaint by a service that expects tools of another
 * form isn't about a definition.
 */
const TOOL_AT = /\btools\.(\d+)\b(?!\.(?:type|function)\b)/;
/** Complaints about a mistake of ours in a request, not about the model's abilities. */
const OUR_FAULT = /not found in available tools|at least one tool must|cannot use prompt caching/i;

/**
 * Whether the service refused thinking that was sent back, because its prefix has changed or because it was written
 * elsewhere.
 */
export function isThinkingRefused(error: unknown): boolean {
  const words = refusesRequest(statusOf(error)) ? apiWords(error) : undefined;
  return (
    words !== undefined && /bound to a different conversation|Invalid `signature` in `(redacted_)?thinking`/.test(words)
  );
}

/**
 * Returns the kind of block that the service refuses to take back, although one of its own models wrote it; undefined
 * for any other refusal.
 */
export function refusedKind(error: unknown): string | undefined {
  const words = refusesRequest(statusOf(error)) ? apiWords(error) : undefined;
  return /^messages\.\d+\.content\.\d+: Input tag '(\w+)'/.exec(words ?? '')?.[1];
}

/**
 * Features that a model has according to the table, but that a gateway may lack: the words of the refusal, and the
 * corrected capability. The service names a beta header in its refusals, so each feature has words of its own.
 */
const MISSING: readonly {
  readonly words: RegExp;
  readonly known: (capability: Capability) => boolean;
  readonly learned: Partial<Capability>;
}[] = [
  {
    words: /block_binding|thinking-binding-controls/,
    known: ({ bindingControls, bindsThinking }) => bindsThinking && bindingControls,
    learned: { bindingControls: false },
  },
  { words: /^diagnostics\b/, known: ({ diagnoses }) => diagnoses, learned: { diagnoses: false } },
  {
    words: /inline-tools|tool_definition/,
    known: ({ addsTools }) => addsTools === 'definition',
    learned: { addsTools: 'reference' },
  },
];

/** Returns the place of the tool that a request was refused for; undefined if it was refused for another reason. */
export function refusedAt(error: unknown): number | undefined {
  const at = refusesRequest(statusOf(error)) ? TOOL_AT.exec(apiWords(error) ?? '')?.[1] : undefined;
  return at === undefined ? undefined : Number(at);
}

/**
 * Learns from a refusal what can be sent instead.
 * @returns a sentence for the user, or '' if none is needed; undefined if nothing can be done
 * @throws ModelError if the turn has to be planned again, since the model has no tool search after all
 */
export function correct({
  error,
  sent,
  request,
  model,
  name,
  capabilities,
  refusals,
  lost,
}: RefusedRequest): string | undefined {
  const words = refusesRequest(statusOf(error)) ? apiWords(error) : undefined;
  if (words === undefined || OUR_FAULT.test(words)) return undefined;
  const native = request.delivery === 'server' || request.delivery === 'client';
  const at = refusedAt(error);
  const place = at === undefined ? undefined : sent.tools?.[at];
  const isTool = place !== undefined && 'input_schema' in place;
  // In a complaint about a tool's own definition, only this field shows something about the model, whatever the tool's
  // name is.
  const unknown = isTool
    ? /\btools\.\d+(?:\.\w+)?\.defer_loading\b/
    : /tool_search|tool search|defer_loading|tool_reference/i;
  if (native && unknown.test(words)) {
    const { strategies } = capabilities.of('anthropic', model);
    if (knowsRegexAlone(words, sent) && strategies.includes('regex')) {
      capabilities.learn('anthropic', model, { strategies: ['regex'] });
      return l10n.t('{0} can only search by patterns here, not by words (strategy regex).', name);
    }
    capabilities.learn('anthropic', model, WITHOUT_SEARCH);
    throw new ModelError(l10n.t('{0} turned out to have no tool search of its own ({1}).', name, words), {
      replan: true,
      unanswered: true,
    });
  }
  const capability = capabilities.of('anthropic', model);
  const missing = isTool ? undefined : MISSING.find((it) => it.words.test(words) && it.known(capability));
  if (missing) {
    capabilities.learn('anthropic', model, missing.learned);
    return '';
  }
  if (!isTool && capability.addsTools && /tool_addition|mid-conversation-tool-changes/.test(words)) {
    capabilities.learn('anthropic', model, { addsTools: false });
    throw new ModelError(l10n.t('{0} turned out to take no new tools within a conversation ({1}).', name, words), {
      replan: true,
      unanswered: true,
    });
  }
  if (!isTool && capability.systemMessages && /^messages\.\d+\.role\b/.test(words)) {
    capabilities.learn('anthropic', model, { systemMessages: false, addsTools: false });
    throw new ModelError(
      l10n.t('{0} turned out to take no system messages within a conversation ({1}).', name, words),
      {
        replan: true,
        unanswered: true,
      },
    );
  }
  const { container } = sent;
  if (!isTool && typeof container === 'string' && /container/i.test(words) && !lost.has(container)) {
    lost.add(container);
    return '';
  }
  if (refusesCode(words) && capability.code) {
    capabilities.learn('anthropic', model, { code: false });
    return `${name} lets no code call tools after all, so they are called directly: ${words}`;
  }
  const known = [...request.tools, ...request.deferred];
  const tool = isTool ? known.find(({ name }) => name === place.name) : undefined;
  if (tool && /input_examples/.test(words)) {
    // A service that doesn't know a field refuses it in every tool.
    const all = /Extra inputs/i.test(words) ? known.filter(({ examples }) => examples && examples.length > 0) : [tool];
    const refused = all.filter((it) => refusals.add('examples', it));
    const whose = refused.length === 1 ? refused[0]?.id : `${refused.length} tools`;
    if (refused.length > 0) return `The examples of ${whose} are left out, since Anthropic refuses them: ${words}`;
  }
  if (tool && tool.callers !== undefined && /allowed_callers|\$ref/.test(words) && refusals.add('callers', tool))
    return `The tool ${tool.id} is called directly, since Anthropic doesn't let code call it: ${words}`;
  if (tool) return refusals.leaveOut(tool, 'Anthropic', words);
  if (sent.tool_choice && /tool_choice/.test(words) && capability.forcesTools) {
    capabilities.learn('anthropic', model, { forcesTools: false });
    return '';
  }
  return undefined;
}

/** Whether a refusal is about code that calls tools in general, not about one tool. */
function refusesCode(words: string): boolean {
  return /programmatic tool calling|code_execution_20|allowed_callers: Extra inputs/i.test(words);
}

/**
 * Whether a refusal of the bm25 form still allows the regex form: it names that form, or it doesn't know the bm25 form.
 * If a model has neither, the service answers “does not support tool types”.
 */
function knowsRegexAlone(words: string, sent: MessageCreateParamsStreaming): boolean {
  const asksBm25 = sent.tools?.some((tool) => 'type' in tool && String(tool.type).startsWith('tool_search_tool_bm25'));
  return (
    asksBm25 === true &&
    /bm25/.test(words) &&
    (/tool_search_tool_regex/.test(words) || !/does not support tool types/.test(words))
  );
}
