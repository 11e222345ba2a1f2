import type { FunctionTool, NamespaceTool, Tool } from 'openai/resources/responses/responses';
import { hashedName, MAX_MODEL_NAME, SEARCH_TOOLS, sanitize } from '../../core/catalog/modelNames';
import type { ToolDefinition } from '../../core/catalog/tool';
import { joinedTools } from '../../core/conversation/joinedTools';
import type { ModelFeatures } from '../../core/models/types';
import { type ModelRequest, NAMESPACE_SIZE } from '../../core/ports';
import { descriptionWithExamples } from '../../core/usage/tokens';
import { cut } from '../../core/util/cut';
import { equalParts } from '../../core/util/equalParts';
import { shortHash } from '../../core/util/hash';
import type { Refusals } from '../refusals';
import { allowedCallers, CODE_TOOL } from './code';
import { isStrict } from './strictSchema';
import { wireSchema } from './wireSchema';

// Arranges the tools of a request to the Responses API, each in a namespace or directly in the list ("at the top").

/** The maximum number of entries in a request's list of tools ("Expected an array with maximum length 128"). */
export const MAX_ENTRIES = 128;
/** The maximum number of characters of a namespace's description. Long tool names then cost no more than short ones. */
const DESCRIPTION_CHARS = 600;
/** Names of namespaces that the service reserves. */
const RESERVED = ['functions', 'multi_tool_use', 'tool_search'];
/**
 * The namespace for tools of servers that start in mid-conversation. A new namespace would change the cached prefix.
 */
const LATER = { name: 'later_servers', description: 'Tools of servers that notes in this conversation name' } as const;
const PLACEHOLDER = 'unavailable_';

interface ToolPlace {
  readonly tool: FunctionTool;
  /** The tool's namespace; undefined for a tool at the top. */
  readonly group?: { readonly name: string; readonly description: string };
}

/** The tools of a request in the service's form. */
export class Layout {
  readonly tools: readonly Tool[];
  /** Whether the request has a search tool. Otherwise its input may contain no searches. */
  readonly searching: boolean;
  /** Whether programs can call tools. Otherwise the request's input may contain no programs. */
  readonly code: boolean;
  readonly #places: ReadonlyMap<string, ToolPlace>;
  readonly #joined: ReadonlyMap<string, FunctionTool>;

  constructor(
    { tools, searching, code }: Pick<Layout, 'tools' | 'searching' | 'code'>,
    places: ReadonlyMap<string, ToolPlace>,
    joined: ReadonlyMap<string, FunctionTool>,
  ) {
    this.tools = tools;
    this.searching = searching;
    this.code = code;
    this.#places = places;
    this.#joined = joined;
  }

  /** Returns the functions with these names that were added in mid-conversation. */
  joined(names: readonly string[]): readonly FunctionTool[] {
    return names.flatMap((name) => this.#joined.get(name) ?? []);
  }

  /** Whether a function was added in mid-conversation. Its calls keep the namespace that the model used. */
  hasJoined(name: string): boolean {
    return this.#joined.has(name);
  }

  /** Whether the model may call a function directly, not only from programs. */
  isDirect(name: string): boolean {
    return this.#places.get(name)?.tool.allowed_callers?.includes('direct') ?? true;
  }

  has(name: string): boolean {
    return this.#places.has(name) || this.#joined.has(name);
  }

  /**
   * Whether a request can demand a call of this function. The function must be at the top, and the model must be
   * allowed to call it directly.
   */
  canDemand(name: string): boolean {
    const place = this.#places.get(name);
    return place !== undefined && !place.group && this.isDirect(name);
  }

  /**
   * Returns the namespace of a call; undefined for none. A deferred function outside any namespace is loaded into a
   * namespace of its own name.
   */
  namespaceOf(name: string): string | undefined {
    const place = this.#places.get(name);
    return place?.group?.name ?? (place?.tool.defer_loading ? name : undefined);
  }

  /**
   * Returns the definitions of found functions, in their namespaces, as the output of a search. Functions that aren't
   * deferred are left out.
   */
  loaded(names: readonly string[]): readonly Tool[] {
    const places = names
      .map((name) => this.#places.get(name))
      .filter((place): place is ToolPlace => place?.tool.defer_loading === true);
    const groups = new Map(places.map(({ group }) => [group?.name, group]));
    return [...groups].flatMap(([name, group]): Tool[] => {
      const tools = places.filter((place) => place.group?.name === name).map(({ tool }) => tool);
      return group ? [{ type: 'namespace', ...group, tools }] : tools;
    });
  }
}

/** The abilities and refusals that change the layout of a request. */
export interface LayoutOptions {
  /** The abilities of the model. It lacks those that are left out. */
  readonly features?: Partial<ModelFeatures>;
  /** The parts of tools that the service has refused. They are left out. */
  readonly refusals?: Refusals;
}

/**
 * Arranges the tools of a request: first the search, then loaded tools, then namespaces with each server's deferred
 * tools. The namespaces stay those of the conversation's first request, so that the cached prefix stays valid. A
 * deferred tool that came later is in its server's last namespace, or in the one for later servers. The model doesn't
 * see it until a search finds it.
 */
export function layOut(
  request: Pick<ModelRequest, 'tools' | 'deferred' | 'delivery' | 'opened' | 'transcript' | 'code'>,
  options: LayoutOptions = {},
): Layout {
  const { opened } = request;
  const { code: runsCode, addsTools } = options.features ?? {};
  const searching = request.deferred.length > 0 || Object.keys(opened ?? {}).length > 0;
  const eager = request.tools.filter((tool) => !(searching && tool.name === SEARCH_TOOLS));
  const asFunction = (tool: ToolDefinition, deferred: boolean) => functionTool(tool, deferred, options);
  const loaded = new Set(request.tools.map(({ name }) => name));
  const joined = addsTools ? joinedTools(request.transcript).filter(({ name }) => !loaded.has(name)) : [];
  const code =
    runsCode === true &&
    (request.code === true || [...eager, ...request.deferred, ...joined].some(({ callers }) => callers !== undefined));
  const grouped = new Set(request.deferred.map((tool) => tool.server).filter((server) => server !== ''));
  const members = request.deferred
    .filter((tool) => grouped.has(tool.server))
    .map((tool) => ({ server: tool.server, tool: asFunction(tool, true), id: tool.id }));
  const top = [
    ...eager.map((tool) => asFunction(tool, false)),
    ...request.deferred.filter((tool) => !grouped.has(tool.server)).map((tool) => asFunction(tool, true)),
  ];
  const taken = new Set([...RESERVED, ...top.map((tool) => tool.name), ...members.map(({ tool }) => tool.name)]);
  const byServer = (opened ? Object.entries(opened) : [...grouped].map((server) => [server] as const)).map(
    ([server, names]): ServerGroup => {
      const own = members
        .filter((member) => member.server === server)
        .map(({ id, tool }) => ({ name: id.slice(server.length + 1), tool }));
      return { server, members: own, names: names ?? own.map(({ name }) => name) };
    },
  );
  const counts = byServer.map(({ names }) => names.length);
  const size = namespaceSize(counts, MAX_ENTRIES - top.length - (opened ? 2 : 1) - (code ? 1 : 0));
  const namespaces = byServer.flatMap((group) => namespacesOf(group, size, taken));
  if (opened) {
    const later = members.filter(({ server }) => !Object.hasOwn(opened, server)).map(({ tool }) => tool);
    namespaces.push(namespaceOf({ ...LATER, name: namespaceName(LATER.name, taken) }, later));
  }
  const places = new Map<string, ToolPlace>(top.map((tool) => [tool.name, { tool }]));
  for (const { name, description, tools } of namespaces)
    for (const tool of tools as FunctionTool[]) places.set(tool.name, { tool, group: { name, description } });
  const tools = [...(searching ? [searchTool(request)] : []), ...(code ? [CODE_TOOL] : []), ...top, ...namespaces];
  const added = new Map(joined.map((tool) => [tool.name, asFunction(tool, false)]));
  return new Layout({ tools, searching, code }, places, added);
}

function searchTool({ delivery, tools }: Pick<ModelRequest, 'delivery' | 'tools'>): Tool {
  const own = tools.find((tool) => tool.name === SEARCH_TOOLS);
  return delivery === 'client' && own
    ? { type: 'tool_search', execution: 'client', description: own.description, parameters: own.inputSchema }
    : { type: 'tool_search' };
}

function functionTool(tool: ToolDefinition, deferred: boolean, { features, refusals }: LayoutOptions): FunctionTool {
  const allowed = features?.code ? allowedCallers(tool.callers) : undefined;
  const parameters = wireSchema(tool.inputSchema);
  // Only programs need the schema of results. The model reads results directly.
  const returns = allowed && !refusals?.has('returns', tool) && tool.outputSchema && wireSchema(tool.outputSchema);
  return {
    type: 'function',
    name: tool.name,
    description: descriptionWithExamples(tool),
    parameters,
    strict: !refusals?.has('strict', tool) && isStrict(parameters),
    ...(deferred ? { defer_loading: true } : {}),
    ...(allowed ? { allowed_callers: allowed } : {}),
    ...(allowed && returns ? { output_schema: returns } : {}),
  };
}

/** Returns the maximum number of functions in a namespace: nine, or more if there would be too many namespaces. */
function namespaceSize(servers: readonly number[], room: number): number {
  let size = NAMESPACE_SIZE;
  const largest = Math.max(...servers, size);
  while (size < largest && servers.reduce((sum, count) => sum + Math.ceil(count / size), 0) > room) size *= 2;
  return size;
}

interface ServerGroup {
  readonly server: string;
  readonly members: readonly { readonly name: string; readonly tool: FunctionTool }[];
  /** The names of the functions that the server had when the conversation began. */
  readonly names: readonly string[];
}

/**
 * Returns a server's namespaces. Their number is fixed by the functions that the server had when the conversation
 * began. Those are spread evenly; functions that were added later go to the last namespace.
 */
function namespacesOf({ server, members, names }: ServerGroup, most: number, taken: Set<string>): NamespaceTool[] {
  const parts = equalParts(names, most);
  const count = parts.length;
  const partOf = new Map(parts.flatMap((part, index) => part.map((name) => [name, index])));
  return parts.map((part, index): NamespaceTool => {
    const name = namespaceName(count > 1 ? `${server}_${index + 1}` : server, taken);
    // Each request contains all descriptions. The namespace's own name says the server, unless it had to be changed.
    const from = name.startsWith(server) ? '' : `${JSON.stringify(cut(server, MAX_MODEL_NAME))}: `;
    const title = `${from}${part.join(', ')}`;
    const own = members.filter((member) => (partOf.get(member.name) ?? count - 1) === index).map(({ tool }) => tool);
    return namespaceOf({ name, description: cut(title, DESCRIPTION_CHARS) }, own);
  });
}

/**
 * Returns a namespace. The service refuses an empty one, so a placeholder function is added to keep the prefix the
 * same.
 */
function namespaceOf(shown: { readonly name: string; readonly description: string }, tools: FunctionTool[]) {
  const placeholder: FunctionTool = {
    type: 'function',
    name: `${PLACEHOLDER}${shortHash(shown.name)}`,
    description: '(none)',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    strict: true,
    defer_loading: true,
  };
  return { type: 'namespace' as const, ...shown, tools: tools.length > 0 ? tools : [placeholder] };
}

export function isPlaceholder(name: string): boolean {
  return name.startsWith(PLACEHOLDER);
}

/** Returns a unique name for a namespace: the server's name, with a hash if that name is too long or taken. */
function namespaceName(name: string, taken: Set<string>): string {
  const plain = sanitize(name);
  const unique =
    plain.length > MAX_MODEL_NAME || taken.has(plain) ? hashedName(name, plain, (each) => taken.has(each)) : plain;
  taken.add(unique);
  return unique;
}
