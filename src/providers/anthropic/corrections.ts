import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { ModelFeatures } from '../../core/models/types';
import { isNative, type ModelRequest } from '../../core/ports';
import { l10n } from '../../core/util/l10n';
import { WITHOUT_SEARCH } from '../capabilities';
import { failureOf } from '../failures';
import type { ModelAccess } from '../modelAccess';
import { type Refusals, refusesRequest, replanned } from '../refusals';

// Learns from the service's refusals, so that requests leave out the parts that it refuses.

/**
 * Finds the index of the tool that the service complains about. If the service expects another form of tools (`.type`,
 * `.function`), the complaint isn't about one definition.
 */
const TOOL_AT = /\btools\.(\d+)\b(?!\.(?:type|function)\b)/;
/** Refusals because of a mistake in our request. They show nothing about the model's abilities. */
const OUR_FAULT = /not found in available tools|at least one tool must|cannot use prompt caching/i;

/** Returns the service's message if it refuses the request itself; otherwise undefined. */
function refusalOf(error: unknown): string | undefined {
  const failure = failureOf(error);
  return failure?.isOwn && refusesRequest(failure.status) ? failure.message : undefined;
}

/** Whether the service refused thinking that was sent back: its prefix has changed, or another model wrote it. */
export function isThinkingRefused(error: unknown): boolean {
  const words = refusalOf(error) ?? '';
  return /bound to a different conversation|Invalid `signature` in `(redacted_)?thinking`/.test(words);
}

/**
 * Returns the kind of block that the service refuses to take back, although one of its own models wrote it; undefined
 * for any other refusal.
 */
export function refusedKind(error: unknown): string | undefined {
  return /^messages\.\d+\.content\.\d+: Input tag '(\w+)'/.exec(refusalOf(error) ?? '')?.[1];
}

/**
 * Features of requests that a model or a gateway may lack. A refusal names them by the API's own names of fields, kinds
 * and beta headers. It also lists beta headers, so `names` must be specific to the feature.
 */
const FEATURES: readonly {
  readonly names: RegExp;
  readonly isUsed: (features: ModelFeatures, sent: MessageCreateParamsStreaming) => boolean;
  readonly learned: Partial<ModelFeatures>;
  /** What the user is told before the turn is planned again; if absent, the request is sent again without the feature. */
  readonly replanned?: (name: string, words: string) => string;
}[] = [
  {
    names: /block_binding|thinking-binding-controls/,
    isUsed: ({ bindingControls, bindsThinking }) => bindsThinking && bindingControls,
    learned: { bindingControls: false },
  },
  { names: /^diagnostics\b/, isUsed: ({ diagnoses }) => diagnoses, learned: { diagnoses: false } },
  {
    names: /inline-tools|tool_definition/,
    isUsed: ({ addsTools }) => addsTools === 'definition',
    learned: { addsTools: 'reference' },
  },
  {
    names: /tool_addition|mid-conversation-tool-changes/,
    isUsed: ({ addsTools }) => addsTools !== false,
    learned: { addsTools: false },
    replanned: (name, words) => l10n.t('{0} does not accept new tools within a conversation ({1}).', name, words),
  },
  {
    names: /^messages\.\d+\.role\b/,
    isUsed: ({ systemMessages }) => systemMessages,
    learned: { systemMessages: false, addsTools: false },
    replanned: (name, words) => l10n.t('{0} does not accept system messages within a conversation ({1}).', name, words),
  },
  {
    names: /tool_choice/,
    isUsed: ({ forcesTools }, sent) => forcesTools && sent.tool_choice !== undefined,
    learned: { forcesTools: false },
  },
];

/** Returns the index of the tool that the service refused; undefined if it refused the request for another reason. */
export function refusedAt(error: unknown): number | undefined {
  const at = TOOL_AT.exec(refusalOf(error) ?? '')?.[1];
  return at === undefined ? undefined : Number(at);
}

/** A refusal with its message, and the state when the request was made. */
interface Complaint extends Pick<ModelAccess, 'model' | 'name' | 'capabilities'> {
  readonly sent: MessageCreateParamsStreaming;
  readonly request: ModelRequest;
  readonly refusals: Refusals;
  /** The ids of code containers that the service no longer has. New ones are added here. */
  readonly lost: Set<string>;
  readonly words: string;
  readonly features: ModelFeatures;
  /** The name of the tool whose definition is refused; undefined if the complaint is about the whole request. */
  readonly toolName: string | undefined;
}

/**
 * Learns from a refusal how to change the next request.
 * @returns a sentence for the user, or '' if none is needed; undefined if the request can't be corrected
 * @throws ModelError if the model turns out to have no tool search, so that the turn must be planned again
 */
export function correct(
  error: unknown,
  refused: Omit<Complaint, 'words' | 'features' | 'toolName'>,
): string | undefined {
  const { sent, model, capabilities } = refused;
  const words = refusalOf(error);
  if (words === undefined || OUR_FAULT.test(words)) return undefined;
  const place = sent.tools?.[refusedAt(error) ?? -1];
  const toolName = place !== undefined && 'input_schema' in place ? place.name : undefined;
  const complaint = { ...refused, words, toolName, features: capabilities.of('anthropic', model) };
  for (const rule of [withoutSearch, withoutFeature, withoutContainer, withoutCode, withoutPartOfTool]) {
    const told = rule(complaint);
    if (told !== undefined) return told;
  }
  return undefined;
}

function withoutSearch({ words, toolName, features, request, sent, model, name, capabilities }: Complaint) {
  // If the complaint is about one tool, only the name of the unknown field is checked: the message may repeat any words
  // of the tool.
  const search =
    toolName === undefined
      ? /tool_search|tool search|defer_loading|tool_reference/i
      : /\btools\.\d+(?:\.\w+)?\.defer_loading\b/;
  if (!isNative(request.delivery) || !search.test(words)) return undefined;
  if (knowsRegexAlone(words, sent) && features.strategies.includes('regex')) {
    capabilities.learn('anthropic', model, { strategies: ['regex'] });
    return l10n.t('{0} supports only search by patterns here (strategy regex), not by words.', name);
  }
  capabilities.learn('anthropic', model, WITHOUT_SEARCH);
  throw replanned(l10n.t('The provider reports that {0} has no tool search of its own ({1}).', name, words));
}

function withoutFeature({ words, toolName, features, sent, model, name, capabilities }: Complaint) {
  if (toolName !== undefined) return undefined;
  const feature = FEATURES.find((each) => each.names.test(words) && each.isUsed(features, sent));
  if (!feature) return undefined;
  capabilities.learn('anthropic', model, feature.learned);
  if (feature.replanned) throw replanned(feature.replanned(name, words));
  return '';
}

function withoutContainer({ words, toolName, sent: { container }, lost }: Complaint) {
  if (toolName !== undefined || typeof container !== 'string' || !/container/i.test(words) || lost.has(container))
    return undefined;
  lost.add(container);
  return '';
}

function withoutCode({ words, features, model, name, capabilities }: Complaint) {
  const isAboutCode = /programmatic tool calling|code_execution_20|allowed_callers: Extra inputs/i.test(words);
  if (!isAboutCode || !features.code) return undefined;
  capabilities.learn('anthropic', model, { code: false });
  return l10n.t('{0} lets no code call tools after all, so they are called directly: {1}', name, words);
}

function withoutPartOfTool({ words, toolName, request, refusals }: Complaint) {
  const known = [...request.tools, ...request.deferred];
  const tool = known.find(({ name }) => name === toolName);
  if (!tool) return undefined;
  if (/input_examples/.test(words)) {
    // A service that doesn't know the field at all refuses it in every tool.
    const all = /Extra inputs/i.test(words) ? known.filter(({ examples }) => examples && examples.length > 0) : [tool];
    const refused = all.filter((it) => refusals.add('examples', it));
    const whose = refused.map(({ id }) => id).join(', ');
    if (whose) return l10n.t('The examples of {0} are left out, since Anthropic refuses them: {1}', whose, words);
  }
  if (tool.callers !== undefined && /allowed_callers|\$ref/.test(words) && refusals.add('callers', tool))
    return l10n.t('The tool {0} is called directly, since Anthropic doesn’t let code call it: {1}', tool.id, words);
  return refusals.leaveOut(tool, 'Anthropic', words);
}

/**
 * Whether the service refuses bm25 search but may accept regex search: it suggests regex or doesn't know bm25. A model
 * without any tool search gets “does not support tool types” instead.
 */
function knowsRegexAlone(words: string, sent: MessageCreateParamsStreaming): boolean {
  const asksBm25 = sent.tools?.some((tool) => 'type' in tool && String(tool.type).startsWith('tool_search_tool_bm25'));
  return (
    asksBm25 === true &&
    /bm25/.test(words) &&
    (/tool_search_tool_regex/.test(words) || !/does not support tool types/.test(words))
  );
}
