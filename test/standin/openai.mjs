// The stand-in for OpenAI's Responses API.
import { callsOf, codeOf } from './code.mjs';
import { createDiagnostics } from './diagnostics.mjs';
import { rejectedTools } from './faults.mjs';
import { byCode, isCodeTool, waitingCode } from './openaiCode.mjs';
import { allowed, contextOf, neutral, turnOf } from './openaiContext.mjs';
import { openaiEvents } from './openaiEvents.mjs';
import { functionsOf, itemsOf, kindOf, refuse } from './openaiRules.mjs';
import { callsIn, isSearch, listedTools, decide as scripted } from './script.mjs';
import { rank } from './search.mjs';
import { countTokens, tokensOf } from './tokens.mjs';

/** Models of the stand-in. The older one has no tool search. */
export const MODELS = [
  { id: 'gpt-6-sol', searches: true },
  { id: 'gpt-5.6-sol', searches: true },
  { id: 'gpt-5.6-luna', searches: true },
  { id: 'gpt-5.4', searches: true },
  { id: 'gpt-5.4-mini', searches: true },
  { id: 'gpt-5.5', searches: true },
  { id: 'gpt-4.1', searches: false },
];
/** Models that the service lists although they aren't chat models. */
const OTHERS = ['text-embedding-3-large', 'gpt-image-2', 'whisper-1'];
const WINDOW = 272_000;
const LARGE_WINDOW = 922_000;

const ERRORS = {
  400: ['invalid_request_error', 'The request is invalid.', null],
  401: ['invalid_request_error', 'Incorrect API key provided.', 'invalid_api_key'],
  403: ['invalid_request_error', 'You are not allowed to sample from this model.', null],
  404: ['invalid_request_error', 'Not found.', null],
  413: ['invalid_request_error', 'Request too large.', null],
  429: ['requests', 'Rate limit reached for requests. Please try again later.', 'rate_limit_exceeded'],
  500: ['server_error', 'The server had an error while processing your request. Sorry about that!', null],
  529: ['server_error', 'The engine is currently overloaded, please try again later.', null],
};

export function openaiError(status, { message, param = null, code, type } = {}) {
  const [known, text, usual] = ERRORS[status] ?? ['server_error', 'Unexpected error.', null];
  return { error: { message: message ?? text, type: type ?? known, param, code: code ?? usual } };
}

const isNew = ({ id }) => /^gpt-(5\.6|6)/.test(id);

const described = (id) => ({ id, object: 'model', created: 1_772_000_000, owned_by: 'system' });

/** The Responses API over a cache. Each handler returns `{status, json}` or `{status, events}`. */
export function createOpenai(cache, decide = scripted) {
  /** The program that made each call, and the text of each program. */
  const code = { issued: new Map(), signed: new Map() };
  const diagnostics = createDiagnostics();
  let serial = 0;
  const id = (prefix) => `${prefix}_standin${String(++serial).padStart(4, '0')}`;
  const find = (name) => MODELS.find((model) => model.id === name || name?.startsWith(`${model.id}-20`));
  const unknownModel = (model) => ({
    status: 404,
    json: openaiError(404, {
      message: `The model \`${model}\` does not exist or you do not have access to it.`,
      code: 'model_not_found',
    }),
  });
  const refused = (problem) => ({ status: 400, json: openaiError(400, problem) });

  return {
    models(name) {
      if (name === undefined)
        return {
          status: 200,
          json: { object: 'list', data: [...MODELS.map((model) => model.id), ...OTHERS].map(described) },
        };
      const model = find(name);
      return model ? { status: 200, json: described(model.id) } : unknownModel(name);
    },
    count(body, faults) {
      const model = find(body.model);
      if (!model) return unknownModel(body.model);
      const problem = refuse(body, { rejected: rejectedTools(faults), searching: model.searches });
      if (problem) return refused(problem);
      return {
        status: 200,
        json: {
          object: 'response.input_tokens',
          input_tokens: tokensOf(contextOf(body).segments, 0, Number.POSITIVE_INFINITY),
        },
      };
    },
    response(body, faults) {
      const model = find(body.model);
      if (!model) return unknownModel(body.model);
      const context = contextOf(body);
      const problem = refuse(body, abilitiesOf(model, faults, code)) ?? refuseLength(context, model);
      if (problem) return refused(problem);
      const again = waitingCode(itemsOf(body.input))?.calls > 0;
      const output =
        answerCode(body, context.callable, faults, id, code) ?? answer(decide, body, context, faults, id, code);
      // A program that only continues to its next calls costs nothing.
      const usage =
        again && output.every((item) => item.type === 'function_call')
          ? { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
          : use(cache, model.id, context.segments, output, cacheOf(body, context.segments));
      const responseId = id('resp');
      const compared = body.prompt_cache_options?.comparison_response_id;
      const miss = missOf(diagnostics, responseId, body, compared);
      const response = {
        ...envelope(responseId, body, output, faults),
        ...(compared ? { prompt_cache_diagnostics: miss } : {}),
        usage,
      };
      return body.stream
        ? { status: 200, events: openaiEvents(response, faults, id), said: output }
        : { status: 200, json: response };
    },
  };
}

/** The features of a model that the faults leave, as `refuse` takes them. */
function abilitiesOf(model, faults, code) {
  return {
    rejected: rejectedTools(faults),
    searching: model.searches && !faults.has('notoolsearch'),
    returns: !faults.has('noreturns'),
    callsTools: isNew(model) && !faults.has('nocode'),
    choosesCache: isNew(model) && !faults.has('nocachechoice'),
    addsTools: model.id !== 'gpt-4.1' && !faults.has('nochanges'),
    code,
  };
}

function refuseLength({ segments }, model) {
  if (tokensOf(segments, 0, Number.POSITIVE_INFINITY) <= (isNew(model) ? LARGE_WINDOW : WINDOW)) return undefined;
  return {
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    param: 'input',
    code: 'context_length_exceeded',
  };
}

/** A response without its usage. */
function envelope(id, body, output, faults) {
  const half = faults.has('halfprogram') && output.some((item) => item.type === 'program');
  const incomplete = faults.has('length') || half;
  return {
    id,
    object: 'response',
    created_at: 1_772_840_757,
    status: incomplete ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: incomplete ? { reason: 'max_output_tokens' } : null,
    instructions: body.instructions ?? null,
    model: body.model,
    output,
    parallel_tool_calls: true,
    store: body.store ?? true,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
  };
}

/**
 * The service's report on a cache miss: the part in which a request differs from the one that an earlier response
 * answered.
 */
function missOf(diagnostics, id, body, before) {
  const { shown, items } = contextOf(body);
  const parts = { model: body.model, prompt_cache_key: body.prompt_cache_key ?? '', tools: JSON.stringify(shown) };
  const changed = diagnostics.compare(id, { ...parts, input: [body.instructions ?? '', ...items] }, before);
  if (changed === 'not_found') return { type: 'comparison_response_not_found' };
  if (changed === undefined || changed === 'none') return { type: 'cache_hit' };
  return { type: 'cache_miss', reason: `${changed}_changed`, cache_missed_tokens: countTokens(items) };
}

/**
 * The next step of a program: it begins, calls, or ends. Undefined if the prompt asks for no program, or its tools
 * aren't in the request yet.
 */
function answerCode(body, callable, faults, id, code) {
  const items = itemsOf(body.input);
  const groups = (body.tools ?? []).some(isCodeTool) ? codeOf(turnOf(items).prompt) : undefined;
  if (!groups) return undefined;
  const waiting = waitingCode(items);
  const { calls } = callsOf(groups, callable.filter(byCode));
  if (!calls) return undefined;
  const program = waiting?.program ?? {
    id: id('cm'),
    type: 'program',
    call_id: id('call'),
    code: `tools: ${JSON.stringify(groups)}`,
    fingerprint: id('fp'),
  };
  code.signed.set(program.call_id, `${program.code} ${program.fingerprint}`);
  const begun = waiting ? [] : [program];
  if (!waiting && faults.has('quiet')) return begun;
  const made = waiting?.calls ?? 0;
  const next = calls.findIndex((_, index) => calls.slice(0, index).flat().length >= made);
  if (next >= 0 && made < calls.flat().length && !faults.has('timeout')) {
    return [
      ...begun,
      ...calls[next].map(({ name, input }) => {
        const callId = id('call');
        code.issued.set(callId, program.call_id);
        return {
          id: id('fc'),
          type: 'function_call',
          // The service reports this status although the item is complete.
          status: 'in_progress',
          arguments: JSON.stringify(input),
          call_id: callId,
          name,
          caller: { type: 'program', caller_id: program.call_id },
        };
      }),
    ];
  }
  const failed = faults.has('timeout');
  const result = failed ? 'The program took too long.' : (waiting?.results ?? []).join('\n');
  return [
    ...begun,
    {
      id: id('cmo'),
      type: 'program_output',
      call_id: program.call_id,
      status: failed ? 'incomplete' : 'completed',
      result,
    },
    say(id, `The program said: ${result}`),
  ];
}

const message = (id, content) => ({
  id: id('msg'),
  type: 'message',
  status: 'completed',
  role: 'assistant',
  phase: 'final_answer',
  content: [content],
});
const say = (id, text) => message(id, { type: 'output_text', annotations: [], logprobs: [], text });

/** A search, which the service or the client runs. */
const searchCall = (id, execution, args) => ({
  id: id('tsc'),
  type: 'tool_search_call',
  status: 'completed',
  arguments: args,
  call_id: execution === 'client' ? id('call') : null,
  execution,
});

function answer(decide, body, context, faults, id, code) {
  if (faults.has('refusal')) return [message(id, { type: 'refusal', refusal: 'I can’t help with that.' })];
  const { state, search, ownTool } = stateOf(body, context);
  const output = [];
  // Without the encrypted content a reasoning item can't be replayed, so a client that stores nothing gets none.
  if ((body.include ?? []).includes('reasoning.encrypted_content'))
    output.push({
      id: id('rs'),
      type: 'reasoning',
      summary: [],
      encrypted_content: Buffer.from(`thought about: ${state.prompt}`).toString('base64'),
    });
  let decision = decide(state);
  if (decision.search !== undefined && search?.execution === 'client') {
    const key = Object.keys(search.parameters.properties ?? {})[0] ?? 'query';
    const list = search.parameters.properties?.[key]?.type === 'array';
    return [...output, searchCall(id, 'client', { [key]: list ? [decision.search] : decision.search })];
  }
  if (decision.search !== undefined && search) {
    const { paths, found, tools } = hosted(decision.search, body.tools, context.deferred);
    output.push(searchCall(id, 'server', { paths }), {
      id: id('tso'),
      type: 'tool_search_output',
      status: 'completed',
      call_id: null,
      execution: 'server',
      tools,
    });
    const begun = answerCode(body, [...found.map(neutral), ...context.callable], faults, id, code);
    if (begun) return [...output, ...begun];
    decision = decide({ ...state, callable: found.map(neutral), found });
  } else if (decision.search !== undefined) {
    decision = { call: { name: ownTool.name, input: { queries: [decision.search] } } };
  }
  if (faults.has('unknown')) output.push({ id: id('nov'), type: 'novel_item', status: 'completed', payload: 'naïve' });
  if (faults.has('length')) return [...output, { ...say(id, 'This answer is cut'), status: 'incomplete' }];
  if (decision.say !== undefined) return [...output, say(id, decision.say)];
  return [...output, ...callsIn(decision, faults).map((call) => callItem(call, context, id))];
}

/** The state from which the stand-in's model decides, the request's search tool, and the client's own one. */
function stateOf(body, context) {
  const { prompt: asked, turn, outputs } = turnOf(itemsOf(body.input));
  // The tools that a program needs are searched for first.
  const groups = codeOf(asked);
  const search = (body.tools ?? []).find((tool) => tool.type === 'tool_search');
  const ownTool = context.callable.find((tool) => isSearch(tool.name));
  const names = new Map(
    turn.filter((item) => kindOf(item) === 'function_call').map((item) => [item.call_id, item.name]),
  );
  const returned = outputs.find((item) => kindOf(item) === 'tool_search_output' && item.execution === 'client');
  const ownReturned = outputs.find(
    (item) => kindOf(item) === 'function_call_output' && isSearch(names.get(item.call_id)),
  );
  const state = {
    prompt: (groups && callsOf(groups, context.callable).missing) ?? asked,
    callable: allowed(
      body,
      context.callable.filter((tool) => tool !== ownTool),
    ),
    results: outputs.filter((item) => kindOf(item) === 'function_call_output' && item !== ownReturned).map(textOf),
    found: returned ? functionsOf(returned.tools) : ownReturned && listedTools(textOf(ownReturned)),
    searches: search !== undefined || ownTool !== undefined,
    forced: body.tool_choice?.mode === 'required' || body.tool_choice === 'required',
  };
  return { state, search, ownTool };
}

function callItem({ name, input }, { callable, deferred }, id) {
  const { namespace } = [...callable, ...deferred].find((tool) => tool.name === name);
  return {
    id: id('fc'),
    type: 'function_call',
    status: 'completed',
    arguments: JSON.stringify(input),
    call_id: id('call'),
    name,
    ...(namespace ? { namespace } : {}),
  };
}

/**
 * The service's own search. It loads the surfaces (a namespace, or a function on its own) of the best three functions.
 */
function hosted(query, tools, deferred) {
  const ranked = rank(query, deferred.map(neutral)).map((hit) => deferred.find((tool) => tool.name === hit.name));
  const paths = [...new Set(ranked.slice(0, 3).map((tool) => tool.namespace))];
  const opened = tools
    .filter((tool) => paths.includes(tool.name))
    .map((tool) =>
      tool.type === 'namespace' ? { ...tool, tools: tool.tools.filter((inner) => inner.defer_loading) } : tool,
    );
  const names = new Set(functionsOf(opened).map((tool) => tool.name));
  return { paths, tools: opened, found: ranked.filter((tool) => names.has(tool.name)) };
}

const textOf = (item) =>
  typeof item.output === 'string' ? item.output : item.output.map((part) => part.text ?? `[${part.type}]`).join('\n');

const BREAKPOINTS = 4;

/**
 * A request's key, and the segments up to which it caches. With explicit breakpoints alone, it caches only up to the
 * last four.
 */
function cacheOf({ prompt_cache_key: chat, prompt_cache_options: options }, segments) {
  if (options?.mode !== 'explicit') return { chat };
  const isMarked = ({ content, output }) =>
    [content, output].some((it) => Array.isArray(it) && it.some((part) => part.prompt_cache_breakpoint));
  return { chat, ends: segments.flatMap((it, index) => (isMarked(it) ? [index + 1] : [])).slice(-BREAKPOINTS) };
}

/** Usage. A hosted search samples a second time over the longer context. */
function use(cache, model, segments, output, chosen) {
  const { read, write, whole } = cache.stepped(model, segments, chosen);
  const total = tokensOf(segments, 0, segments.length);
  const found = output.filter((item) => item.type === 'tool_search_output');
  const again = found.length > 0 ? total + countTokens(found) : 0;
  const input = total + again;
  const written = countTokens(output.filter((item) => item.type !== 'tool_search_output'));
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: read + (again > 0 ? whole : 0),
      ...(write === undefined ? {} : { cache_write_tokens: write }),
    },
    output_tokens: written,
    output_tokens_details: { reasoning_tokens: countTokens(output.filter((item) => item.type === 'reasoning')) },
    total_tokens: input + written,
  };
}
