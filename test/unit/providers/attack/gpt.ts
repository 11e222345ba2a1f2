/**
 * A GPT model that randomly does what the Responses API allows, and refuses everything else, by its documentation.
 * Written independently of the stand-in in `test/standin`.
 */
import { type Answer, type Chance, inputOf, manyMore, plain, type Wire } from './chance';

/** The features of a model that the rules depend on. */
export interface GptModel {
  readonly name: string;
  readonly searches: boolean;
  readonly adds: boolean;
  /** GPT-5.6 and newer: programs, a cache key, and reports on the cache. */
  readonly late: boolean;
  readonly reasons: boolean;
}

/** A function that the model can call, with its namespace. */
interface Callable {
  readonly name: string;
  readonly namespace?: string;
  readonly allowed_callers?: readonly string[];
}

const MOST_ROUNDS = 4;
const isDirect = ({ allowed_callers: by }: Callable) => by?.includes('direct') !== false;

function listed(tools: readonly Wire[], deferred: boolean): readonly Callable[] {
  return tools.flatMap((tool): readonly Callable[] => {
    if (tool.type === 'namespace')
      return tool.tools
        .filter((inner: Wire) => deferred || !inner.defer_loading)
        .map((inner: Wire) => ({ ...inner, namespace: tool.name }));
    if (tool.type !== 'function' || (tool.defer_loading && !deferred)) return [];
    return [{ ...(tool as Wire & Callable), ...(tool.defer_loading ? { namespace: tool.name } : {}) }];
  });
}

/** The functions that the model can call now, by name. */
export function callable({ tools = [], input }: Wire): ReadonlyMap<string, Callable> {
  const later = input.flatMap((item: Wire) =>
    item.type === 'tool_search_output'
      ? listed(item.tools, true)
      : item.type === 'additional_tools'
        ? listed(item.tools, false)
        : [],
  );
  return new Map([...listed(tools, false), ...later].map((tool: Callable) => [tool.name, tool]));
}

export function gpt(model: GptModel, chance: Chance, wide = false) {
  return (body: Wire): Answer => {
    const refused =
      refuseTools(body, model) ?? refuseOptions(body, model) ?? refuseCalls(body) ?? refuseItems(body, model);
    if (refused) return { refused };
    const output = reply(body, { ...model, wide }, chance);
    return { events: eventsOf(output, chance), reply: output.items, dropped: 0 };
  };
}

function refuseTools({ tools = [] }: Wire, model: GptModel): string | undefined {
  const names = [
    ...tools.map(({ name, type }: Wire) => name ?? type),
    ...listed(tools, true)
      .filter(({ namespace }) => namespace)
      .map(({ name }) => name),
  ];
  if (tools.length > 128) return 'tools: array too long';
  if (new Set(names).size < names.length) return `Duplicate tool name in ${names}`;
  const wrong = tools.find((tool: Wire) => tool.type === 'namespace' && !(tool.tools.length > 0 && tool.description));
  if (wrong) return `namespace ${wrong.name}: empty`;
  const searches = tools.some(({ type }: Wire) => type === 'tool_search');
  if (!model.searches && (searches || tools.some(({ type }: Wire) => type === 'namespace')))
    return `tool_search is not supported with ${model.name}.`;
  const deferred = listed(tools, true).length > listed(tools, false).length;
  if (deferred && !searches) return 'Deferred tools require tools.tool_search.';
  const programs = tools.some(({ type }: Wire) => type === 'programmatic_tool_calling');
  const asks = listed(tools, true).some(({ allowed_callers: by }) => by?.includes('programmatic'));
  return (asks || programs) && !(programs && model.late) ? 'programmatic tool calling is not supported' : undefined;
}

function refuseOptions(body: Wire, model: GptModel): string | undefined {
  if (body.store !== false || body.previous_response_id) return 'store: this double keeps nothing';
  if (!model.late && (body.prompt_cache_key || body.prompt_cache_options))
    return "Unknown parameter: 'prompt_cache_key'.";
  if (body.include && !model.reasons) return 'Encrypted content is not supported with this model.';
  const named: readonly Wire[] = body.tool_choice?.tools ?? [];
  const unknown = named.find(
    ({ name }) => !body.tools?.some((tool: Wire) => tool.name === name && tool.type === 'function'),
  );
  return unknown && `Tool choice named '${unknown.name}' not found in 'tools' parameter.`;
}

function refuseCalls({ input, tools = [] }: Wire): string | undefined {
  const calls = input.filter(({ type }: Wire) => type === 'function_call');
  const outputs = input.filter(({ type }: Wire) => type === 'function_call_output');
  const ids = calls.map(({ call_id: id }: Wire) => id);
  if (new Set(ids).size < ids.length) return 'Duplicate item found with call_id';
  if (plain([...ids].sort()) !== plain(outputs.map(({ call_id: id }: Wire) => id).sort()))
    return `No tool output found for ${ids}`;
  for (const call of calls) {
    const output = outputs.find(({ call_id: id }: Wire) => id === call.call_id);
    if (input.indexOf(output) < input.indexOf(call)) return `An output before its call ${call.call_id}`;
    if (plain(output.caller) !== plain(call.caller)) return `The caller of ${call.call_id} differs`;
    if (call.caller && !input.some(({ type, call_id: id }: Wire) => type === 'program' && id === call.caller.caller_id))
      return `A call of no program: ${call.call_id}`;
    if (typeof call.arguments !== 'string') return 'arguments: expected a string';
  }
  const known = new Map(listed(tools, true).map((tool) => [tool.name, tool]));
  // A tool that joined is in the default namespace, even if another namespace lists it.
  const joined = new Set(
    input.flatMap((item: Wire) => (item.type === 'additional_tools' ? item.tools.map(({ name }: Wire) => name) : [])),
  );
  const lost = calls.find(
    ({ name, namespace, caller }: Wire) =>
      !caller && known.has(name) && known.get(name)?.namespace !== namespace && !(joined.has(name) && !namespace),
  );
  return (
    lost &&
    `Missing namespace for function_call '${lost.name}': ${lost.namespace} for ${known.get(lost.name)?.namespace}`
  );
}

function refuseItems({ input, tools = [], model: id }: Wire, model: GptModel): string | undefined {
  const searching = tools.some(({ type }: Wire) => type === 'tool_search');
  const programs = tools.some(({ type }: Wire) => type === 'programmatic_tool_calling');
  for (const [index, item] of input.entries()) {
    const next: Wire | undefined = input[index + 1];
    const at = `input[${index}] (${item.type ?? item.role})`;
    if (item.type === 'reasoning') {
      if (Buffer.from(item.encrypted_content ?? '', 'base64').toString() !== `of ${id}`)
        return `${at}: the encrypted content could not be verified`;
      if (!next || next.type === 'function_call_output' || next.role === 'user')
        return `${at}: reasoning was provided without its required following item`;
    }
    if (item.type === 'tool_search_call' || item.type === 'tool_search_output') {
      if (!searching) return `${at}: no tool_search in tools`;
      if (item.type === 'tool_search_call' && next?.type !== 'tool_search_output')
        return `${at}: No tool search output found`;
    }
    if (item.type === 'additional_tools' && (!model.adds || item.role !== 'developer' || item.tools.length === 0))
      return `${at}: not supported`;
    if (item.type === 'program' && (!programs || item.fingerprint !== `print ${item.call_id}`))
      return `${at}: invalid program`;
    if (
      item.type === 'program_output' &&
      !input.some((it: Wire) => it.type === 'program' && it.call_id === item.call_id)
    )
      return `${at}: no program`;
  }
  return undefined;
}

interface Output {
  readonly items: readonly Wire[];
  readonly incomplete?: boolean;
}

function reply(body: Wire, model: GptModel & { readonly wide: boolean }, chance: Chance): Output {
  const { input, tools = [] } = body;
  const functions = callable(body);
  const waiting = input.findLast(
    ({ type, call_id: id }: Wire) =>
      type === 'program' && !input.some((it: Wire) => it.type === 'program_output' && it.call_id === id),
  );
  if (waiting) return goOn(waiting.call_id, functions, chance);
  const thought = {
    type: 'reasoning',
    id: chance.id('rs'),
    summary: [],
    encrypted_content: Buffer.from(`of ${body.model}`).toString('base64'),
  };
  const start = model.reasons && chance.percent(60) ? [thought] : [];
  const novel = chance.percent(10) ? [{ type: 'novel_item', id: chance.id('n'), payload: chance.nat(9) }] : [];
  const asked = input.findLastIndex(({ role }: Wire) => role === 'user');
  const rounds = input
    .slice(asked)
    .filter(({ type }: Wire) => type === 'function_call' || type === 'tool_search_call').length;
  if (body.tool_choice === 'none' || rounds >= MOST_ROUNDS) return { items: [...start, ...novel, say(chance)] };
  const allowed = body.tool_choice?.tools?.map(({ name }: Wire) => name);
  const direct = [...functions.values()].filter((tool) => isDirect(tool) && (!allowed || allowed.includes(tool.name)));
  const byProgram = [...functions.values()].filter(({ allowed_callers: by }) => by?.includes('programmatic'));
  if (!allowed && byProgram.length > 0 && chance.percent(25))
    return { items: [...start, ...program(byProgram, chance)] };
  const search = tools.find(({ type }: Wire) => type === 'tool_search');
  const searched = !allowed && search && chance.percent(45) ? searching(search, tools, chance) : [];
  if (search?.execution === 'client' && searched.length > 0) return { items: [...start, ...searched] };
  const found = searched
    .flatMap((item) => (item.type === 'tool_search_output' ? listed(item.tools, true) : []))
    .filter(isDirect);
  const chosen = allowed || chance.percent(55) ? [chance.pick([...direct, ...found]), ...chance.some(direct, 2)] : [];
  const once = [...new Set(chosen)].filter((tool) => tool !== undefined);
  const calls = [...once, ...manyMore(once, model, chance)].map((tool) => call(tool, chance));
  const text = calls.length === 0 || chance.percent(30) ? [say(chance)] : [];
  const incomplete = calls.length === 0 && chance.percent(5);
  return { items: [...start, ...searched, ...novel, ...text, ...calls], incomplete };
}

const say = (chance: Chance): Wire => ({
  type: 'message',
  id: chance.id('msg'),
  role: 'assistant',
  status: 'completed',
  phase: 'final_answer',
  content: [{ type: 'output_text', text: `Said ${chance.nat(1000)}.`, annotations: [] }],
});

const call = ({ name, namespace }: Callable, chance: Chance, program?: string): Wire => ({
  type: 'function_call',
  id: chance.id('fc'),
  call_id: chance.id('call'),
  name,
  arguments: plain(inputOf(name, chance)),
  ...(program
    ? { status: 'in_progress', caller: { type: 'program', caller_id: program } }
    : { status: 'completed', ...(namespace ? { namespace } : {}) }),
});

function searching({ execution }: Wire, tools: readonly Wire[], chance: Chance): readonly Wire[] {
  const id = chance.id('tsc');
  if (execution === 'client')
    return [
      {
        ...{ type: 'tool_search_call', id, call_id: chance.id('call'), execution, status: 'completed' },
        arguments: inputOf('search_tools', chance),
      },
    ];
  // The placeholder of an empty namespace is never searched for.
  const full = tools.filter((space) => space.tools?.some(({ name }: Wire) => !name.startsWith('unavailable_')));
  const found = chance.some(full, 2).map((space) => ({ ...space, tools: [chance.pick(space.tools)] }));
  const done = { call_id: null, execution: 'server', status: 'completed' };
  return [
    { type: 'tool_search_call', id, ...done, arguments: { paths: [] } },
    { type: 'tool_search_output', id: chance.id('tso'), ...done, tools: found },
  ];
}

function program(functions: readonly Callable[], chance: Chance): readonly Wire[] {
  const id = chance.id('call');
  const begun = { type: 'program', id: chance.id('cm'), call_id: id, code: 'tools.x({})', fingerprint: `print ${id}` };
  return [begun, ...chance.some(functions, 2).map((tool) => call(tool, chance, id))];
}

/** Continues a program with the results that it waited for. Sometimes the reply is cut after its calls. */
function goOn(id: string, functions: ReadonlyMap<string, Callable>, chance: Chance): Output {
  const open = [...functions.values()].filter(({ allowed_callers: by }) => by?.includes('programmatic'));
  if (open.length > 0 && chance.percent(35))
    return { items: [call(chance.pick(open), chance, id)], incomplete: chance.percent(40) };
  const ended = { type: 'program_output', id: chance.id('cmo'), call_id: id, status: 'completed', result: 'out' };
  return { items: chance.percent(20) ? [ended] : [ended, say(chance)] };
}

function eventsOf({ items, incomplete = false }: Output, chance: Chance): readonly Wire[] {
  const id = chance.id('resp');
  const usage = { input_tokens: 100, output_tokens: 5 };
  const status = incomplete ? 'incomplete' : 'completed';
  const output = chance.percent(20) ? [] : items;
  const reason = incomplete ? { incomplete_details: { reason: 'max_output_tokens' } } : {};
  return [
    { type: 'response.created', response: { id, status: 'in_progress', output: [] } },
    { type: 'response.novel_event', sequence_number: 1 },
    ...items.flatMap((item, output_index) => [
      {
        type: 'response.output_item.added',
        output_index,
        item: item.type === 'program' ? { ...item, code: '', fingerprint: 'another' } : item,
      },
      ...(item.content ?? []).map(({ text }: Wire) => ({
        type: 'response.output_text.delta',
        output_index,
        delta: text,
      })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${status}`, response: { id, status, output, usage, ...reason } },
  ];
}
