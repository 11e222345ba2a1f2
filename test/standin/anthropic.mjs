// The stand-in for Anthropic's Messages API.
import { createHash } from 'node:crypto';
import { BETAS, refuseBetas, refuseChanges } from './anthropicChanges.mjs';
import { byCode, isCodeTool, waitingCode } from './anthropicCode.mjs';
import { contextOf, neutral, openSearch, referencesOf, turnOf } from './anthropicContext.mjs';
import { anthropicEvents } from './anthropicEvents.mjs';
import { blocksOf, refuse, searchStrategy } from './anthropicRules.mjs';
import { boundThought, checkThinking, isThinking } from './anthropicThinking.mjs';
import { callsOf, codeOf } from './code.mjs';
import { createDiagnostics } from './diagnostics.mjs';
import { rejectedTools } from './faults.mjs';
import { callsIn, isSearch, listedTools, decide as scripted } from './script.mjs';
import { searchTools } from './search.mjs';
import { countTokens, tokensOf } from './tokens.mjs';

const LARGE = { window: 1_000_000, output: 128_000 };
const CHANGES = { systemMessages: true, changesTools: true };
const BOUND = { ...LARGE, ...CHANGES, binds: true, forces: false };

/**
 * Models of the stand-in. `binds`: thinking is bound to its prefix. `forces`: a request may demand a tool; true by
 * default. The oldest model has no tool search.
 */
export const MODELS = [
  { id: 'claude-fable-5-2', name: 'Claude Fable 5.2', searches: true, ...BOUND },
  { id: 'claude-opus-5-5', name: 'Claude Opus 5.5', searches: true, ...BOUND },
  { id: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5', searches: true, ...BOUND },
  { id: 'claude-haiku-5-5', name: 'Claude Haiku 5.5', searches: true, ...LARGE, systemMessages: true, binds: true },
  { id: 'claude-opus-5', name: 'Claude Opus 5', searches: true, ...LARGE, ...CHANGES },
  { id: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5', searches: true },
  { id: 'claude-sonnet-4-6', name: 'Claude Sonnet 4.6', searches: true },
  { id: 'claude-haiku-4-5', name: 'Claude Haiku 4.5', searches: true },
  { id: 'claude-opus-4-5', name: 'Claude Opus 4.5', searches: true },
  { id: 'claude-opus-4-1', name: 'Claude Opus 4.1', searches: false },
];
const WINDOW = 200_000;
const MAX_OUTPUT = 64_000;

const ERRORS = {
  400: ['invalid_request_error', 'The request is invalid.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'Not found'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', 'This request would exceed your rate limit.'],
  500: ['api_error', 'Internal server error'],
  529: ['overloaded_error', 'Overloaded'],
};

export function anthropicError(status, message, type) {
  const [known, text] = ERRORS[status] ?? ['api_error', 'Unexpected error'];
  return { type: 'error', error: { type: type ?? known, message: message ?? text }, request_id: 'req_standin' };
}

const described = ({ id, name, window = WINDOW, output = MAX_OUTPUT }) => ({
  type: 'model',
  id,
  display_name: name,
  created_at: '2025-09-29T00:00:00Z',
  deprecated_at: null,
  retires_at: null,
  lifecycle: 'active',
  line: id.split('-')[1],
  max_input_tokens: window,
  max_tokens: output,
  capabilities: null,
});

const overflow = (tokens, { window = WINDOW }) =>
  tokens > window ? `prompt is too long: ${tokens} tokens > ${window} maximum` : undefined;

/**
 * The Messages API over a cache. Each handler returns `{status, json}` or `{status, events}`.
 * @param decide the model; see script.mjs
 */
export function createAnthropic(cache, decide = scripted) {
  /** The existing containers, and the caller of each issued call. */
  const code = { containers: new Set(), issued: new Map() };
  const diagnostics = createDiagnostics();
  let serial = 0;
  const id = (prefix) => `${prefix}_standin${String(++serial).padStart(4, '0')}`;
  const find = (model) => MODELS.find((known) => known.id === model || model?.startsWith(`${known.id}-`));
  const unknownModel = (model) => ({ status: 404, json: anthropicError(404, `model: ${model}`) });

  return {
    models(name) {
      if (name === undefined)
        return {
          status: 200,
          json: { data: MODELS.map(described), has_more: false, first_id: MODELS[0].id, last_id: MODELS.at(-1).id },
        };
      const model = find(name);
      return model ? { status: 200, json: described(model) } : unknownModel(name);
    },
    count(body, faults) {
      const model = find(body.model);
      if (!model) return unknownModel(body.model);
      const problem = refuse(body, { rejected: rejectedTools(faults), counting: true });
      if (problem) return { status: 400, json: anthropicError(400, problem) };
      return { status: 200, json: { input_tokens: tokensOf(contextOf(body).segments, 0, Number.POSITIVE_INFINITY) } };
    },
    message(asked, faults, betas = []) {
      const model = find(asked.model);
      if (!model) return unknownModel(asked.model);
      const problem =
        (faults.has('nobinding') ? refuseBetas(asked, []) : refuseBetas(asked, betas)) ??
        refuseChanges(asked, faults.has('nochanges') ? {} : model, betas) ??
        refuse(asked, {
          rejected: rejectedTools(faults),
          searching: model.searches && !faults.has('notoolsearch'),
          forces: model.forces !== false,
          regexOnly: faults.has('regexonly'),
          callsTools: !asked.model.includes('haiku') && !faults.has('nocode'),
          code,
          signed: (block) => model.binds || block.signature === sign(block.thinking),
        });
      if (problem) return { status: 400, json: anthropicError(400, problem) };
      const checked = model.binds ? checkThinking(asked) : { body: asked };
      if (checked.problem) return { status: 400, json: anthropicError(400, checked.problem) };
      const { body } = checked;
      const context = contextOf(body);
      const tokens = tokensOf(context.segments, 0, Number.POSITIVE_INFINITY);
      const tooLong = overflow(tokens, model);
      if (tooLong) return { status: 400, json: anthropicError(400, tooLong) };
      if (faults.has('nocontainer')) code.containers.clear();
      const answered =
        answerCode(body, context.callable, faults, id, code) ?? answer(decide, body, context, faults, id, code);
      const reply = model.binds ? { ...answered, content: thinking(answered.content, body) } : answered;
      const usage = use(cache, body.model, context, reply);
      const message = {
        id: id('msg'),
        type: 'message',
        role: 'assistant',
        model: body.model,
        content: reply.content,
        stop_reason: reply.stop,
        stop_sequence: null,
        usage: usage.end,
        ...(reply.container ? { container: reply.container } : {}),
        ...(betas.includes(BETAS.binding) ? { input_transformations: checked.dropped ?? [] } : {}),
      };
      if (asked.diagnostics) message.diagnostics = { cache_miss_reason: missOf(diagnostics, message.id, asked) };
      // Code that only continues to its next calls costs nothing, and has a reply of its own form.
      if (reply.again)
        return {
          status: 200,
          events: [{ type: 'message_start', message: { ...message, usage: NOTHING } }, { type: 'message_stop' }],
          said: message.content,
        };
      return body.stream
        ? { status: 200, events: anthropicEvents(message, usage.start, faults), said: message.content }
        : { status: 200, json: message };
    },
  };
}

/**
 * The service's report on a cache miss: the part in which a request differs from the one that `previous_message_id`
 * answered.
 */
function missOf(
  diagnostics,
  id,
  { model, system, tools = [], messages, diagnostics: { previous_message_id: before } },
) {
  const loaded = JSON.stringify(
    tools.filter((tool) => !tool.defer_loading).map(({ cache_control: _, ...tool }) => tool),
  );
  const list = messages.flatMap(({ role, content }) => [role, ...blocksOf(content).filter((it) => !isThinking(it))]);
  const changed = diagnostics.compare(id, { model, system: system ?? '', tools: loaded, messages: list }, before);
  if (changed === undefined || changed === 'none') return null;
  if (changed === 'not_found') return { type: 'previous_message_not_found' };
  return { type: `${changed}_changed`, cache_missed_input_tokens: countTokens(messages) };
}

const NOTHING = { input_tokens: 0, output_tokens: 0 };

/**
 * The next step of code: it begins, continues to its next calls, or ends. Undefined if the prompt asks for no code, or
 * its tools aren't in the request yet.
 */
function answerCode(body, callable, faults, id, code) {
  const { prompt } = turnOf(body.messages);
  const groups = (body.tools ?? []).some(isCodeTool) ? codeOf(prompt) : undefined;
  if (!groups) return undefined;
  const waiting = waitingCode(body.messages);
  const done = waiting ?? { use: undefined, rounds: 0, results: [] };
  const names = new Set((body.tools ?? []).filter(byCode).map((tool) => tool.name));
  const { calls } = callsOf(
    groups,
    callable.filter((tool) => names.has(tool.name)),
  );
  if (!calls) return undefined;
  const use = done.use ?? {
    type: 'server_tool_use',
    id: id('srvtoolu'),
    name: 'code_execution',
    input: { code: prompt },
    caller: { type: 'direct' },
  };
  const container = { id: body.container ?? id('container'), expires_at: '2026-11-22T00:00:00Z' };
  code.containers.add(container.id);
  if (done.rounds < calls.length && !faults.has('timeout')) {
    const made = calls[done.rounds].map((call) => {
      const callId = id('toolu');
      code.issued.set(callId, use.id);
      return { type: 'tool_use', id: callId, ...call, caller: { type: 'code_execution_20260120', tool_id: use.id } };
    });
    const content = done.use ? made : [{ type: 'text', text: 'I write code.' }, use, ...made];
    return { content, stop: 'tool_use', passes: [], container, again: done.use !== undefined };
  }
  const result = faults.has('timeout')
    ? { stdout: '', stderr: "TimeoutError: Calling tool ['x'] timed out (no response after 270s).", return_code: 1 }
    : { stdout: done.results.join('\n'), stderr: '', return_code: 0 };
  const block = {
    type: 'code_execution_tool_result',
    tool_use_id: use.id,
    // A field that no type has, as the service sends one.
    content: { type: 'code_execution_result', content: [], abort_reason: null, ...result },
  };
  const begun = done.use ? [] : [use];
  return {
    content: [...begun, block, { type: 'text', text: `The code printed: ${result.stdout || result.stderr}` }],
    stop: 'end_turn',
    passes: [],
  };
}

function answer(decide, body, context, faults, id, code) {
  const { prompt: asked, results } = turnOf(body.messages);
  // The tools that the code needs are searched for first.
  const groups = codeOf(asked);
  const prompt = (groups && callsOf(groups, context.callable).missing) ?? asked;
  if (faults.has('refusal'))
    return { content: [{ type: 'text', text: 'I can’t help with that.' }], stop: 'refusal', passes: [] };
  const choice = body.tool_choice;
  const serverTool = (body.tools ?? []).find(searchStrategy);
  const ownTool = context.callable.find((tool) => isSearch(tool.name));
  const searched = results.find((result) => isSearch(result.name));
  const state = {
    prompt,
    callable: context.callable.filter(
      (tool) => tool !== ownTool && (choice?.type !== 'tool' || choice.name === tool.name),
    ),
    results: results.filter((result) => result !== searched).map(({ block }) => textOf(block)),
    found: searched && foundBy(searched.block),
    searches: serverTool !== undefined || ownTool !== undefined,
    forced: choice?.type === 'tool' || choice?.type === 'any',
  };
  const content = [];
  const passes = [];
  if (body.thinking && body.thinking.type !== 'disabled') content.push(thought(`The user asks: ${prompt}`));
  const open = openSearch(body.messages);
  let decision = open ? { search: open.input.query ?? open.input.pattern } : decide(state);
  if (decision.search !== undefined && serverTool) {
    const strategy = searchStrategy(serverTool);
    const input =
      open?.input ?? (strategy === 'regex' ? { pattern: patternFor(decision.search) } : { query: decision.search });
    const use = open ?? {
      type: 'server_tool_use',
      id: id('srvtoolu'),
      name: serverTool.name,
      input,
      caller: { type: 'direct' },
    };
    if (!open) content.push({ type: 'text', text: 'Let me search for a tool… 🔎' }, use);
    if (!open && faults.has('pause')) return { content, stop: 'pause_turn', passes };
    const early = !open && faults.has('late') ? decide({ ...state, forced: true }).call : undefined;
    if (early) return { content: [...content, ...usesOf([early], id)], stop: 'tool_use', passes };
    const outcome = faults.has('searcherror')
      ? { ok: false, code: 'unavailable', message: 'Tool search is temporarily unavailable' }
      : searchTools(strategy, input, context.deferred.map(neutral));
    const found = outcome.ok ? outcome.found.map((tool) => tool.name) : [];
    const result = outcome.ok
      ? {
          type: 'tool_search_tool_search_result',
          tool_references: found.map((name) => ({ type: 'tool_reference', tool_name: name })),
        }
      : { type: 'tool_search_tool_result_error', error_code: outcome.code, error_message: outcome.message };
    content.push({ type: 'tool_search_tool_result', tool_use_id: use.id, content: result });
    passes.push(use, result, ...context.deferred.filter((tool) => found.includes(tool.name)));
    const callable = [...context.deferred.map(neutral).filter((tool) => found.includes(tool.name)), ...state.callable];
    const begun = answerCode(body, callable, faults, id, code);
    if (begun) return { ...begun, content: [...content, ...begun.content], passes };
    decision = outcome.ok
      ? decide({ ...state, callable, found: found.map((name) => ({ name })) })
      : { say: `The search failed: ${outcome.message}` };
  } else if (decision.search !== undefined) {
    decision = { call: { name: ownTool.name, input: { queries: [decision.search] } } };
  }
  if (faults.has('unknown')) content.push({ type: 'novel_block', payload: { note: 'naïve' } });
  if (faults.has('compaction'))
    content.push({ type: 'compaction', content: 'A summary.', encrypted_content: 'c3VtbWFyeQ==' });
  if (faults.has('length'))
    return { content: [...content, { type: 'text', text: 'This answer is cut' }], stop: 'max_tokens', passes };
  if (decision.say !== undefined)
    return { content: [...content, { type: 'text', text: decision.say }], stop: 'end_turn', passes };
  return { content: [...content, ...usesOf(callsIn(decision, faults), id)], stop: 'tool_use', passes };
}

const usesOf = (calls, id) =>
  calls.map(({ name, input }) => ({ type: 'tool_use', id: id('toolu'), name, input, caller: { type: 'direct' } }));

/** The pattern that a model writes for a phrase if it may only write patterns. */
/** Names have no hyphens for models, so a model's pattern allows either sign. */
const patternFor = (query) =>
  query
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('-', '[-_]'))
    .join('|')
    .slice(0, 200);

function foundBy(block) {
  const names = referencesOf(block);
  return names.length > 0 ? names.map((name) => ({ name })) : listedTools(textOf(block));
}

function textOf(block) {
  return blocksOf(block.content)
    .map((part) => part.text ?? `[${part.type}]`)
    .join('\n');
}

/** Content that begins with thinking bound to everything before it. */
function thinking(content, body) {
  const rest = content.filter((block) => !isThinking(block));
  if (body.messages.at(-1).role === 'assistant') return rest;
  // Code that only continues doesn't think.
  if (rest.every((block) => block.type === 'tool_use' && block.caller?.type !== 'direct')) return rest;
  const shown = body.thinking?.display === 'summarized';
  return [boundThought(`The user asks: ${turnOf(body.messages).prompt}`, body, shown), ...rest];
}

const sign = (thinking) => createHash('sha256').update(`standin:${thinking}`).digest('base64');
const thought = (thinking) => ({ type: 'thinking', thinking, signature: sign(thinking) });

/**
 * Usage as the service reports it: the tokens of a marked prefix that were cached, those that were written, and the
 * rest. A search samples a second time over the longer context, so the figure at the end is larger than at the start.
 */
function use(cache, model, { segments, ends }, reply) {
  const total = tokensOf(segments, 0, segments.length);
  const { read, write } = cache.marked(model, segments, ends);
  const start = {
    input_tokens: total - read - write,
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
    output_tokens: 1,
  };
  const again = reply.passes.length > 0;
  return {
    start,
    end: {
      ...start,
      input_tokens: start.input_tokens + (again ? start.input_tokens + countTokens(reply.passes) : 0),
      cache_read_input_tokens: read + (again ? read + write : 0),
      output_tokens: countTokens(reply.content),
    },
  };
}
