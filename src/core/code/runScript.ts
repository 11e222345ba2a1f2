// Runs one script: answers its tool calls, searches and other requests from the sandbox, and counts what it did.

import { RESERVED_NAMES } from '../catalog/modelNames';
import { declaredChange, type Json, propertiesOf, type Tool, type ToolExample } from '../catalog/tool';
import { MAX_RESULT_CHARS } from '../conversation/cutResult';
import type { ImagePart } from '../conversation/transcript';
import { type ToolRun, toolMessage } from '../ports';
import type { SearchOutcome } from '../search/types';
import { definitionOf } from '../usage/tokens';
import { cut } from '../util/cut';
import { jsonText, parseJson } from '../util/objects';
import { oneLine } from '../util/plainText';
import { yieldToEventLoop } from '../util/yieldToEventLoop';
import type { CallPermission } from './callPermission';
import type { CodeDeps } from './codeDeps';
import { type IdSources, idSources } from './idSources';
import { readingOf } from './keptResults';
import { mayChange } from './readsByName';
import { errorOf, plainText, scriptValue } from './resultForms';
import type { SandboxEnd, ScriptAnswer, ScriptLimits, ScriptRequest } from './sandboxPort';
import { LEFT_OUT, type SignatureStyle } from './schemaType';
import { scriptName } from './scriptName';
import { boundShape, noteResult, resultType, type Shapes } from './shapes';
import { partSignature, returnType, signatureOf } from './signature';
import { mayMean, noToolNamed, toolNamed, toolsNamed } from './toolNamed';

/**
 * The maximum number of a script's calls that run at the same time. If the user is asked about each call of a tool,
 * these calls run one after another.
 */
const SIDE_BY_SIDE = 8;
/**
 * The maximum length of a result whose type is recorded, in characters. Reading a longer result would block VS Code.
 */
const MAX_SHAPE_CHARS = 200_000;
/** The maximum number of images that a script may show to the model. */
const MAX_SHOWN = 4;
/** The maximum number of unknown tool names for which similar names are searched. */
const MAX_NEAR = 20;
/** The maximum number of characters of a description in a search's result. */
const DESCRIPTION_CHARS = 300;

/** Matches the id of a kept result, or its number. */
const KEPT_ID = /^\s*r?(\d+)\s*$/i;

/** Runs work when there is a place for it. */
type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** The functions that a script needs from its turn. None of them rejects. */
interface ScriptTurn {
  /** Runs one call like a direct call of the model, and records it. Returns the whole result. */
  readonly run: (tool: Tool, args: unknown, signal: AbortSignal, beside: Queue) => Promise<ToolRun>;
  /** Records a call that didn't run, of a tool or of a name that no tool has. */
  readonly refused: (tool: Tool | string, args: unknown, run: ToolRun) => void;
  /** Searches the given tools, and records the search. */
  readonly search: (
    query: string,
    among: readonly Tool[],
    options: { readonly limit?: number; readonly server?: string },
    signal: AbortSignal,
  ) => Promise<SearchOutcome>;
  /** Returns the reason why a tool of this name isn't offered; undefined if no reason is known. */
  readonly whyNot: (name: string) => string | undefined;
  /** Returns the names of similar tools. */
  readonly nearest: (name: string, among: readonly Tool[], signal: AbortSignal) => Promise<readonly string[]>;
}

/** All data and services that a script can use. */
export interface ScriptDeps {
  readonly code: CodeDeps;
  /**
   * `counted` is the maximum number of different calls whose results count as kept from the model. It equals the number
   * of direct calls that a turn allows.
   */
  readonly limits: ScriptLimits & { readonly counted: number };
  readonly tools: readonly Tool[];
  readonly permission: (tool: Tool) => CallPermission;
  readonly turn: ScriptTurn;
}

/** Returns the record of a script that has made no request yet. */
const nothingDone = () => ({
  /** For the ledger: the servers in the order of their first calls, the characters of results, those that count as kept. */
  counts: { calls: 0, failed: 0, servers: [] as string[], returnedChars: 0, countedChars: 0 },
  /** The script names of tools that may have changed something, with the number of calls. */
  changed: new Map<string, number>(),
  /** The last result of such a tool. */
  lastChange: '',
  /** The types of results, by the script name of the tool. */
  returned: new Map<string, string>(),
  /** Whether an answer contains the word "undefined". If not, the script's own text has it from a missing field. */
  hasUndefined: false,
  /** The first request that failed. */
  failure: undefined as Extract<ScriptAnswer, { kind: 'error' }> | undefined,
  shown: [] as ImagePart[],
});

export type ScriptRun = ReturnType<typeof nothingDone> & { readonly end: SandboxEnd };

/** Runs a script in the sandbox and answers its requests. */
export class Script {
  readonly #deps: ScriptDeps;
  /** Stops the remaining calls when the script ends. */
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal;
  readonly #signed: SignatureContext;
  readonly #running = new Set<Promise<unknown>>();
  readonly #refused = new Set<string>();
  readonly #done = nothingDone();
  readonly #distinct = new Set<string>();
  readonly #near = new Map<string, Promise<readonly string[]>>();
  readonly #images = new Map<string, ImagePart>();
  readonly #sideBySide = createQueue(SIDE_BY_SIDE);
  readonly #inLine = createQueue(1);
  readonly #oneByOne = createQueue(1);
  #hostMs = 0;

  constructor(deps: ScriptDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signed = { shapes: deps.code.shapes, sources: idSources(deps.tools) };
    this.#signal = AbortSignal.any([signal, this.#abort.signal]);
  }

  /** Never rejects. */
  async run(code: string): Promise<ScriptRun> {
    const end = await this.#deps.code.sandbox.run(
      code,
      this.#deps.limits,
      async (request) => {
        const answer = await this.#answer(request);
        if (answer.kind === 'error') this.#done.failure ??= answer;
        this.#done.hasUndefined ||= (answer.kind === 'error' ? answer.message : answer.text).includes('undefined');
        return answer;
      },
      this.#signal,
    );
    this.#abort.abort();
    await Promise.all(this.#running);
    return { ...this.#done, end };
  }

  async #answer(request: ScriptRequest): Promise<ScriptAnswer> {
    switch (request.op) {
      case 'call': {
        const call = this.#call(request);
        this.#running.add(call);
        const answer = await call;
        this.#running.delete(call);
        return answer;
      }
      case 'search':
        return this.#search(request);
      case 'describe':
        return this.#describe(request.name);
      case 'get': {
        const [, digits] = KEPT_ID.exec(request.result) ?? [];
        const kept = this.#deps.code.kept.get(`r${digits}`);
        if (!kept) return failed(this.#notKept(request.result));
        this.#done.returned.set(`results.get("${kept.id}")`, textType(kept.text));
        return { kind: 'text', text: kept.text };
      }
      case 'list':
        return json(this.#deps.code.kept.list().map(({ id, of, text }) => ({ id, of, characters: text.length })));
      case 'show':
        return this.#show(request.result);
      case 'sleep':
        return json(null);
    }
  }

  async #call({ name, form, args = {} }: Extract<ScriptRequest, { op: 'call' }>): Promise<ScriptAnswer> {
    const tool = toolNamed(name, this.#deps.tools);
    if (!tool) return this.#refuse(name, args, await this.#explainUnknown(name, args));
    const asksEachTime = this.#deps.code.asking(tool) === 'oneByOne';
    const queue = asksEachTime ? this.#inLine : runAtOnce;
    const run = await queue(async () => {
      if (this.#signal.aborted) return undefined;
      this.#done.counts.calls++;
      if (!this.#done.counts.servers.includes(tool.server)) this.#done.counts.servers.push(tool.server);
      // After a refused call of a tool, the script's further calls of it are refused without a question.
      if (this.#refused.has(tool.id)) {
        this.#deps.turn.refused(tool, args, REFUSED);
        return REFUSED;
      }
      const beside = asksEachTime ? runAtOnce : this.#sideBySide;
      const ran = await this.#deps.turn.run(tool, args, this.#signal, beside);
      // Who may call a tool isn't a question to the user.
      if (ran.outcome === 'refused' && this.#deps.permission(tool) !== 'direct') this.#refused.add(tool.id);
      return ran;
    });
    if (run === undefined) return failed('The script has ended.');
    return this.#note(tool, args, run, form);
  }

  #note(tool: Tool, args: unknown, run: ToolRun, form: 'value' | 'text' | 'parts'): ScriptAnswer {
    // The text that a direct call would have given the model.
    const text = plainText(run);
    this.#count(`${tool.id} ${jsonText(args)}`, text.length);
    // A cancelled call may have run.
    const mayHaveRun = run.outcome === 'ok' || (run.outcome === 'cancelled' && !run.notRun);
    if (mayHaveRun && mayChange(tool)) {
      const name = scriptName(tool.modelName);
      this.#done.changed.set(name, (this.#done.changed.get(name) ?? 0) + 1);
      this.#done.lastChange = text;
    }
    if (run.outcome !== 'ok') {
      this.#done.counts.failed++;
      return errorOf(run, tool.modelName);
    }
    const value = scriptValue(run);
    const isSmall = value.kind !== 'text' && value.text.length <= MAX_SHAPE_CHARS;
    const read = isSmall ? (parseJson(value.text) ?? value.text) : {};
    if (isSmall) noteResult(this.#deps.code.shapes, tool.id, read);
    const type = form === 'value' && value.kind !== 'text' ? boundShape(read) : 'string';
    this.#done.returned.set(scriptName(tool.modelName), type);
    if (form === 'value') return value;
    if (form === 'text') return { kind: 'text', text };
    return json(
      run.parts.map((part): Json => {
        if (part.type === 'text') return { type: 'text', text: part.text };
        const id = part.type === 'image' ? this.#keepImage(part) : undefined;
        return { type: part.type, mimeType: part.mimeType, bytes: part.bytes, ...(id === undefined ? {} : { id }) };
      }),
    );
  }

  #count(call: string, chars: number): void {
    this.#done.counts.returnedChars += chars;
    if (this.#distinct.has(call) || this.#distinct.size >= this.#deps.limits.counted) return;
    this.#distinct.add(call);
    this.#done.counts.countedChars += Math.min(chars, MAX_RESULT_CHARS);
  }

  /** Records and counts as failed a call of a name that no tool has. */
  #refuse(name: string, args: unknown, message: string): ScriptAnswer {
    this.#done.counts.calls++;
    this.#done.counts.failed++;
    this.#deps.turn.refused(name, args, toolMessage('failed', message));
    return failed(message);
  }

  async #explainUnknown(name: string, args?: unknown): Promise<string> {
    // The script gives the name as to a function: tools.call("NAME", args).
    const given = typeof args === 'string' ? toolNamed(args, this.#deps.tools) : undefined;
    if (given) return `${noToolNamed(name, [])} Call await tools.${scriptName(given.modelName)}({ … }).`;
    const meant = toolsNamed(name, this.#deps.tools);
    if (meant.length > 0) return mayMean(name, meant);
    if (RESERVED_NAMES.has(name)) return noOwnTool(name);
    const kept = readingOf(name, this.#deps.code.kept);
    if (kept !== undefined) return `${noToolNamed(name, [])} Write ${kept}.`;
    const known = this.#deps.turn.whyNot(name);
    if (known !== undefined) return known;
    return `${noToolNamed(name, await this.#nearest(name))} await search("…") finds tools.`;
  }

  /**
   * Searches for similar names, once for each name and only for a few names. Two hundred wrong calls at once would
   * block VS Code.
   */
  #nearest(name: string): Promise<readonly string[]> {
    const known = this.#near.get(name);
    if (known) return known;
    if (this.#near.size >= MAX_NEAR) return Promise.resolve([]);
    const found = this.#deps.turn.nearest(name, this.#callable(), this.#signal);
    this.#near.set(name, found);
    return found;
  }

  #callable(): readonly Tool[] {
    return this.#deps.tools.filter((tool) => this.#deps.permission(tool) !== 'direct');
  }

  async #search({ query, limit, server }: Extract<ScriptRequest, { op: 'search' }>): Promise<ScriptAnswer> {
    const found = await this.#onHost(async () => {
      const outcome = await this.#deps.turn.search(query, this.#callable(), { limit, server }, this.#signal);
      this.#hostMs += outcome.ms;
      if (!outcome.ok) return failed(outcome.error.message);
      this.#done.returned.set('search', FOUND);
      return this.#timed(() =>
        json(outcome.hits.map(({ tool }) => describeForScript(tool, { ...this.#signed, query }))),
      );
    });
    return found ?? failed('The searches of this script take too long. Search with fewer and plainer words.');
  }

  async #describe(name: string): Promise<ScriptAnswer> {
    const [own = '', part] = name.split('#');
    const found = toolNamed(own, this.#deps.tools);
    if (!found) return failed(await this.#explainUnknown(name));
    this.#done.returned.set('describe', 'string');
    const how = (path: string) => `await describe("${scriptName(found.modelName)}#${path}") returns`;
    const text = await this.#onHost(async () => this.#timed(() => wholeDefinition(found, this.#signed, how, part)));
    return text === undefined
      ? failed('The descriptions of this script take too long. Describe fewer tools.')
      : { kind: 'text', text };
  }

  /**
   * Runs searches and descriptions one after another, and lets other work run in between. They take the host's time, not
   * the sandbox's. Returns undefined if a script has used up its time.
   */
  #onHost<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    return this.#oneByOne(async () => {
      if (this.#hostMs > this.#deps.limits.computeMs) return undefined;
      await yieldToEventLoop();
      return work();
    });
  }

  #timed<Value>(work: () => Value): Value {
    const started = performance.now();
    const value = work();
    this.#hostMs += performance.now() - started;
    return value;
  }

  #notKept(id: string): string {
    const kept = this.#deps.code.kept.list().map((it) => it.id);
    return `Nothing is kept as "${cut(id, 40)}"${kept.length > 0 ? `; there is ${kept.join(', ')}.` : '. Call the tool again.'}`;
  }

  #keepImage(part: ImagePart): string {
    const id = `image${this.#images.size + 1}`;
    this.#images.set(id, part);
    return id;
  }

  #show(id: string): ScriptAnswer {
    const image = this.#images.get(id);
    if (!image) return failed(`There is no image “${cut(id, 40)}”. tools.NAME.parts(args) gives images and their ids.`);
    if (this.#done.shown.length >= MAX_SHOWN) return failed(`A script shows ${MAX_SHOWN} images at the most.`);
    this.#done.shown.push(image);
    return json(null);
  }
}

/** Says that a script has none of our own tools, in words for the model. */
export function noOwnTool(name: string): string {
  return `A script has no ${name}: ${FIND_AND_CALL}`;
}

/** Says how a script finds and calls tools. */
export const FIND_AND_CALL = 'await search("…") finds tools, and await tools.NAME({ … }) calls one.';

/** The run of a script that wasn't started. */
export const NOT_RUN: ScriptRun = {
  ...nothingDone(),
  end: { kind: 'stopped', reason: 'lost', logs: [], unawaited: [], computeMs: 0 },
};

const REFUSED = toolMessage(
  'refused',
  'Not run: a call of this tool was refused in this script, so the user is not asked again.',
);

/** The type of a search's result. See {@link describeForScript}. */
const FOUND = '{ name: string; signature: string; description: string; server: string }[], called as tools[name](args)';

/** The maximum number of characters of a declared result type, and of one in a whole definition. */
const MAX_DECLARED = 260;
const MAX_WHOLE = 3_000;

/** The maximum number of arguments for which the tool is looked up that lists their values. */
const MAX_SOURCES = 50;

/** The optional content of a signature: observed result types, arguments that a query names, and tools that list ids. */
export interface SignatureContext {
  readonly shapes?: Shapes | undefined;
  readonly query?: string;
  readonly sources?: IdSources;
}

/**
 * Returns a tool's signature. The result type is the one that the server declares, otherwise the type of the last
 * result.
 * @param query the words that found the tool
 */
export function toolSignature(
  tool: Tool,
  style: SignatureStyle,
  { shapes, query = '', sources }: SignatureContext = {},
): string {
  const declared = tool.outputSchema && returnType(tool.outputSchema, style === 'full' ? MAX_WHOLE : MAX_DECLARED);
  let left = MAX_SOURCES;
  const from = (argument: string, description: string) => {
    const source = left-- > 0 ? sources?.(tool, argument, description) : undefined;
    return source && scriptName(source.modelName);
  };
  return signatureOf(definitionOf(tool).definition, style, {
    returns: declared ?? resultType(shapes, tool.id),
    query,
    from,
  });
}

/**
 * Returns a tool's whole description, its examples, and its signature with all texts of the schema. At the end it says
 * how to see what is left out, if the schema is very long.
 * @param how returns the words that ask for the part with a path
 * @param part the path of the part of the arguments that is returned alone
 */
export function wholeDefinition(
  tool: Tool,
  context: SignatureContext,
  how: (path: string) => string,
  part?: string,
): string {
  const names = part?.split('.') ?? [];
  const inside = partSignature(definitionOf(tool).definition, names, 'full');
  const examples = (tool.examples ?? []).map((example) => exampleCall(tool, example));
  const lines =
    inside === undefined
      ? [tool.description, ...examples, toolSignature(tool, 'full', context)]
      : [[...names.slice(0, -1), inside].join('.')];
  const [, mark] = lines.join('\n').split(LEFT_OUT);
  const path = mark?.split(' */')[0] || Object.keys(propertiesOf(tool.inputSchema))[0];
  const note = `["${LEFT_OUT}" marks what is left out: long texts, and what is in some objects. ${how(`${path}`)} a part, here ${path}.]`;
  return [...lines, mark === undefined ? '' : note].filter((line) => line !== '').join('\n');
}

/** Returns an example as a call on one line. */
export function exampleCall(tool: Tool, { args, description }: ToolExample): string {
  const words = description ? ` // ${oneLine(description)}` : '';
  return `e.g. ${scriptName(tool.modelName)}(${JSON.stringify(args)})${words}`;
}

/** Returns a tool in the form that `search()` gives to a script. */
function describeForScript(tool: Tool, context: SignatureContext): { readonly [key: string]: Json } {
  const changes = declaredChange(tool);
  return {
    name: scriptName(tool.modelName),
    signature: toolSignature(tool, 'brief', context),
    description: cut(tool.description || tool.title || '', DESCRIPTION_CHARS),
    server: tool.server,
    ...(changes === undefined ? {} : { changes }),
  };
}

/** Returns the type of a text, with the type of the JSON in it. */
function textType(text: string): string {
  if (text.length > MAX_SHAPE_CHARS) return 'string';
  const value = parseJson(text);
  return value === undefined ? 'string, not JSON' : `string, and JSON.parse of all of it => ${boundShape(value)}`;
}

/** Runs work at once, without a limit. */
function runAtOnce<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** Returns a function that runs at most `places` pieces of work at once, in the order of the calls. */
function createQueue(places: number): Queue {
  let free = places;
  const line: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => line.push(go));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}

function json(value: Json): ScriptAnswer {
  return { kind: 'json', text: JSON.stringify(value) };
}

function failed(message: string): ScriptAnswer {
  return { kind: 'error', message };
}
