// Rules on what the services got of a request: its tools, each in its place, and the results of its calls.
import type { ModelPort, ModelRequest } from '../../src/core/ports';
import { cut } from '../../src/core/util/cut';
import { asObject } from '../../src/core/util/objects';
import { createAnthropicPort } from '../../src/providers/anthropic/anthropicPort';
import { Capabilities } from '../../src/providers/capabilities';
import { createOpenaiPort } from '../../src/providers/openai/openaiPort';
import { type Block, KEYS, type StandInRequest } from '../standin/server.mjs';
import type { Plan } from './plan';

/** A request that a port got. */
export type Asked = { readonly port: ModelPort; readonly request: ModelRequest };

/** Makes a port note what it gets. */
export function noting(port: ModelPort, asked: Asked[]): ModelPort {
  const { send } = port;
  const noted = (...given: Parameters<typeof send>) =>
    asked.push({ port, request: given[0] }) && send.apply(port, given);
  return Object.assign(port, { send: noted });
}

const blocksIn = (value: unknown): readonly Block[] => (Array.isArray(value) ? value : []);

/** The tools of a request, with the place in which a service has to get each. */
function toolsOf({ port: { info }, request: { tools, deferred, transcript, opened = {} } }: Asked): readonly string[] {
  const isOpenai = info.vendor === 'openai';
  const search = isOpenai && deferred.length + Object.keys(opened).length > 0 ? 'search_tools' : '';
  const joined = transcript.flatMap((item) => (item.kind === 'user' ? (item.joined ?? []) : []));
  const isListed = (name: string) => tools.some((tool) => tool.name === name);
  return [
    ...tools.flatMap(({ name }) => (name === search ? [] : `${name} at once`)),
    ...deferred.map(({ name, server }) => `${name} ${isOpenai && server ? 'in a group' : 'deferred'}`),
    ...joined.flatMap(({ name, declared }) => (declared || !isListed(name) ? `${name} joined` : [])),
  ];
}

/** The tools of a body, likewise. */
function toolsIn(body: Block, parts: readonly Block[]): readonly string[] {
  const place = ({ name, defer_loading: isLater }: Block, where: string) => `${name} ${isLater ? where : 'at once'}`;
  const listed = blocksIn(body.tools).flatMap((it) => {
    if (it.type === 'namespace') return blocksIn(it.tools).map((tool) => place(tool, 'in a group'));
    return it.input_schema || it.type === 'function' ? place(it, 'deferred') : [];
  });
  const joined = parts.flatMap(({ type, tools, tool }) => {
    if (type === 'additional_tools') return blocksIn(tools);
    return type === 'tool_addition' ? blocksIn([asObject(tool)?.definition ?? tool]) : [];
  });
  return [...listed.filter((it) => !it.startsWith('unavailable_')), ...joined.map(({ name }) => `${name} joined`)];
}

/** What differs between a request and the body that was sent for it; undefined if nothing does. */
function difference(asked: Asked, body: Block, refused: ReadonlySet<string>): string | undefined {
  const parts = [body.input, ...blocksIn(body.messages).map(({ content }) => content)].flatMap(blocksIn);
  const got = toolsIn(body, parts);
  const joins = asked.port.info.addsTools || got.some((it) => it.endsWith(' joined'));
  const isMeant = (it: string) => !refused.has(it.split(' ', 1)[0] ?? '') && (joins || !it.endsWith(' joined'));
  const [all, sent] = [toolsOf(asked), got].map((tools) => tools.filter(isMeant).sort()) as [string[], string[]];
  if (String(all) !== String(sent))
    return `${all.filter((it) => !sent.includes(it))} (${all.length}) became ${sent.filter((it) => !all.includes(it))} (${sent.length})`;
  const results = asked.request.transcript.flatMap((item) => (item.kind === 'results' ? item.results : []));
  const other = results.find(({ search, callId, parts: [part] }) => {
    const own = parts.find((it) => !search && [it.tool_use_id, it.output && it.call_id].includes(callId));
    const words = JSON.stringify(part?.type === 'text' ? part.text.trim().slice(0, 100) : '').slice(1, -1);
    return own && !JSON.stringify(own).includes(words);
  });
  return other && `with another result of ${other.callId}: ${cut(JSON.stringify(other), 200)}`;
}

/** Requests that the service got with other tools or results, but for tools that a service refused. */
export function missent(
  { fault = '', cancel, model, beside }: Plan,
  asked: readonly Asked[],
  sent: readonly StandInRequest[],
  refused: Set<string>,
): readonly string[] {
  refused.add(fault.replace('reject:', ''));
  // Which of two questions to one model a request belongs to isn't known.
  const models = beside?.model === model ? [] : new Set(asked.map(({ port }) => port.info.id));
  return [...models].flatMap((id) => {
    const bodies: readonly Block[] = sent.flatMap(({ body }) => (body?.model === id ? body : []));
    const [first, ...later] = asked.filter(({ port }) => port.info.id === id);
    let now = first;
    const wrong = bodies.map((body, at) => {
      if (at > 0 && later[0] && !difference(later[0], body, refused)) now = later.shift();
      return now && difference(now, body, refused);
    });
    const [body, next] = [bodies.at(-1), later[0]];
    if (body && next && !cancel) wrong.push(difference(next, body, refused) ?? 'fewer times');
    return wrong.flatMap((what) => (what ? `a service was asked otherwise than a port, ${what}` : []));
  });
}

/** Models with tool search, one without, and some whose code calls tools. What is learnt of them goes with their key. */
export function createPorts(url: string): readonly ModelPort[] {
  const capabilities = new Capabilities();
  return ['claude-opus-5', 'gpt-5.6-sol', 'claude-haiku-4-5', 'gpt-5.4', 'claude-opus-4-1', 'gpt-4.1'].map((model) =>
    model.startsWith('gpt')
      ? createOpenaiPort({ model, name: model, apiKey: KEYS.openai, baseUrl: `${url}/v1`, capabilities })
      : createAnthropicPort({ model, name: model, apiKey: KEYS.anthropic, baseUrl: url, capabilities }),
  );
}
