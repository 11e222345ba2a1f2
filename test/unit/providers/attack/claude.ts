/** A Claude model that randomly does what the Messages API allows, and refuses everything else. */
import { type Answer, type Chance, inputOf, manyMore, plain, type Wire } from './chance';
import { blocks, brokenThoughts, type ClaudeModel, callable, refusal, think, waitingCode } from './claudeRules';

/** Maximum number of rounds of one question. */
const MOST_ROUNDS = 4;

export function claude(model: ClaudeModel, chance: Chance, wide = false) {
  let paused = false;
  return (body: Wire, betas: readonly string[]): Answer => {
    const refused = refusal(body, betas, model);
    if (refused) return { refused };
    // Only a paused reply is continued.
    if (body.messages.at(-1).role === 'assistant' && !paused)
      return { refused: 'The conversation must end with a user message.' };
    const broken = model.binds ? brokenThoughts(body) : 0;
    const drops = body.thinking?.block_binding?.prefix_mismatch_behavior === 'drop_block';
    if (broken > 0 && !drops) return { refused: 'The block is bound to a different conversation.' };
    const { content, stop, container } = reply(body, { ...model, wide }, chance);
    paused = stop === 'pause_turn';
    return { events: eventsOf(content, { stop, container, broken }, chance), reply: content, dropped: broken };
  };
}

interface Reply {
  readonly content: readonly Wire[];
  readonly stop: string;
  readonly container?: string;
}

function reply(body: Wire, model: ClaudeModel & { readonly wide: boolean }, chance: Chance): Reply {
  const waiting = waitingCode(body);
  if (waiting !== undefined) return goOn(waiting, body, chance);
  const pending = pendingSearch(body).map((asked) => result(asked, body, chance));
  const thoughts = (own: readonly Wire[], often: number) =>
    model.binds && chance.percent(often) ? [thought(body, own, chance)] : [];
  const novel = chance.percent(10) ? [{ type: 'novel', payload: { n: chance.nat(9) } }] : [];
  const start = [...pending, ...thoughts(pending, 70), ...novel];
  if (body.messages.at(-1).role === 'assistant') return { content: [...start, say(chance)], stop: 'end_turn' };
  const lastQuestion = body.messages.findLastIndex(
    ({ role, content }: Wire) => role === 'user' && blocks(content).some(({ type }) => type !== 'tool_result'),
  );
  const rounds = body.messages.slice(lastQuestion).filter(({ role }: Wire) => role === 'assistant').length;
  const tools = callable(body);
  if (body.tool_choice?.type === 'none' || rounds >= MOST_ROUNDS)
    return { content: [...start, say(chance)], stop: 'end_turn' };
  const forced = body.tool_choice?.type === 'tool' ? [body.tool_choice.name] : undefined;
  const direct = [...tools]
    .filter(([, tool]) => tool.allowed_callers?.includes('direct') !== false)
    .map(([name]) => name);
  const byCode = [...tools]
    .filter(([, tool]) => tool.allowed_callers?.some((by: string) => by !== 'direct'))
    .map(([name]) => name);
  if (!forced && byCode.length > 0 && chance.percent(25)) return runCode(start, byCode, chance);
  const search = body.tools?.find(({ type }: Wire) => String(type).startsWith('tool_search_tool'));
  const searched = !forced && search && chance.percent(45) ? searching(body, search.name, chance) : [];
  const names =
    forced ?? (body.tool_choice || chance.percent(55) ? [chance.pick(direct), ...chance.some(direct, 2)] : []);
  const once = [...new Set(names)].filter((name) => name !== undefined);
  const calls = [...once, ...manyMore(once, model, chance)].map((name) => call(name, chance));
  if (calls.length === 0 && searched.length === 1)
    return {
      content: [...start, ...searched, result(searched[0] as Wire, body, chance), say(chance)],
      stop: 'end_turn',
    };
  if (!model.wide && calls.length === 0 && chance.percent(8))
    return { content: [...start, say(chance)], stop: 'pause_turn' };
  const text = calls.length === 0 || chance.percent(50) ? [say(chance)] : [];
  const found = [...start, ...searched];
  const again = searched.length > 1 ? thoughts(found, 50) : [];
  return { content: [...found, ...again, ...text, ...calls], stop: calls.length > 0 ? 'tool_use' : 'end_turn' };
}

const thought = (body: Wire, own: readonly Wire[], chance: Chance): Wire =>
  think(body, own, { text: chance.pick(['', 'Hm.', 'So …']), redacted: chance.percent(20) });
const say = (chance: Chance): Wire => ({ type: 'text', text: `Said ${chance.nat(1_000_000)}.` });
const call = (name: string, chance: Chance): Wire => ({
  type: 'tool_use',
  id: chance.id('toolu'),
  name,
  input: inputOf(name, chance),
});

/** The searches of the last reply that have no result yet. This reply begins with the result. */
function pendingSearch(body: Wire): readonly Wire[] {
  const last = body.messages.findLast(({ role }: Wire) => role === 'assistant');
  const own = blocks(last?.content ?? []);
  const found = new Set(own.map(({ tool_use_id: id }) => id));
  return own.filter(({ type, id, name }) => type === 'server_tool_use' && name !== 'code_execution' && !found.has(id));
}

/** A search, with or without its result. If the result is missing, the next reply begins with it. */
function searching(body: Wire, name: string, chance: Chance): readonly Wire[] {
  const asked = { type: 'server_tool_use', id: chance.id('srvtoolu'), name, input: { query: 'x' } };
  return chance.percent(75) ? [asked, result(asked, body, chance)] : [asked];
}

function result({ id }: Wire, body: Wire, chance: Chance): Wire {
  const deferred = body.tools.filter((tool: Wire) => tool.defer_loading).map(({ name }: Wire) => name);
  const references = chance.some<string>(deferred, 3).map((tool_name) => ({ type: 'tool_reference', tool_name }));
  const content = chance.percent(10)
    ? { type: 'tool_search_tool_result_error', error_code: 'unavailable' }
    : { type: 'tool_search_tool_search_result', tool_references: references };
  return { type: 'tool_search_tool_result', tool_use_id: id, content };
}

function runCode(start: readonly Wire[], names: readonly string[], chance: Chance): Reply {
  const id = chance.id('srvtoolu');
  const use = { type: 'server_tool_use', id, name: 'code_execution', input: { code: 'await x({})' } };
  return {
    content: [...start, use, ...codeCalls(id, names, chance)],
    stop: 'tool_use',
    container: chance.id('container'),
  };
}

const codeCalls = (id: string, names: readonly string[], chance: Chance): readonly Wire[] =>
  [chance.pick(names), ...chance.some(names, 1)].map((name) => ({
    ...call(name, chance),
    caller: { type: 'code_execution_20260120', tool_id: id },
  }));

/** Continues code with the results that it waited for: it calls again, or ends. */
function goOn(id: string, body: Wire, chance: Chance): Reply {
  const names = [...callable(body)]
    .filter(([, tool]) => tool.allowed_callers?.some((by: string) => by !== 'direct'))
    .map(([name]) => name);
  if (names.length > 0 && chance.percent(30))
    return { content: codeCalls(id, names, chance), stop: 'tool_use', container: body.container };
  const ended = {
    type: 'code_execution_tool_result',
    tool_use_id: id,
    content: {
      type: 'code_execution_result',
      stdout: 'out',
      stderr: '',
      return_code: chance.nat(2),
      content: [],
      abort_reason: null,
    },
  };
  return { content: [ended, say(chance)], stop: 'end_turn' };
}

/** The stream of a reply. Code that calls again comes in one event, without its blocks. */
function eventsOf(
  content: readonly Wire[],
  { stop, container, broken }: Omit<Reply, 'content'> & { readonly broken: number },
  chance: Chance,
): readonly Wire[] {
  const usage = { input_tokens: 100, output_tokens: 5 };
  const held = container ? { container: { id: container } } : {};
  const transformed =
    broken > 0 ? { input_transformations: Array.from({ length: broken }, () => ({ type: 'thinking_dropped' })) } : {};
  const message = { id: chance.id('msg'), usage, ...transformed };
  const isAgain = content.every(({ caller }) => caller);
  if (isAgain && content.length > 0)
    return [
      { type: 'message_start', message: { ...message, content, ...held, stop_reason: stop } },
      { type: 'message_stop' },
    ];
  return [
    { type: 'message_start', message: { ...message, content: [] } },
    { type: 'ping' },
    { type: 'novel_event', index: 99 },
    ...content.flatMap((block, index) => blockEvents(block, index, chance)),
    { type: 'message_delta', delta: { stop_reason: stop, ...held }, usage },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: Wire, index: number, chance: Chance): readonly Wire[] {
  const whole = (content_block: Wire, deltas: readonly Wire[] = []) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const pieces = (text: string) => {
    const cut = chance.nat(text.length + 1);
    return [text.slice(0, cut), text.slice(cut)].filter((piece) => piece !== '');
  };
  switch (block.type) {
    case 'text':
      return whole(
        { ...block, text: '' },
        pieces(block.text).map((text) => ({ type: 'text_delta', text })),
      );
    case 'thinking':
      return whole({ ...block, thinking: '', signature: '' }, [
        ...pieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ]);
    case 'tool_use':
    case 'server_tool_use':
      return block.caller
        ? whole(block)
        : whole(
            { ...block, input: {} },
            pieces(plain(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
          );
    case 'novel':
      return whole({ type: 'novel' }, [{ type: 'novel_delta', payload: block.payload }]);
    default:
      return whole(block);
  }
}
