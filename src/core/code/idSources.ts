// Finds the tool that gives the values of an argument: `driveId` → `list-drives`, `sessionId` → `open_session`.

import { deprecationIn, MAX_READ, sentencesOf } from '../catalog/sentences';
import { propertiesOf, requiredOf, type Tool } from '../catalog/tool';
import { singular } from '../search/text/stem';
import { squash, wordsOf } from '../search/text/words';
import { memoizeBy } from '../util/memoize';
import { asObject } from '../util/objects';

/** Returns the tool that gives the values of a tool's argument; undefined unless the texts leave no doubt. */
export type IdSources = (of: Tool, argument: string, description: string) => Tool | undefined;

const ID: ReadonlySet<string> = new Set(['id', 'ids', 'iid', 'iids', 'guid', 'uuid']);
/** Verbs of tools that list things, and verbs of tools that do if they name several things. */
const LISTING: ReadonlySet<string> = new Set(['list', 'find', 'search', 'query', 'browse']);
const GETTING: ReadonlySet<string> = new Set(['get', 'fetch', 'retrieve', 'show', 'read']);
/** Things that a call opens before they have an id. */
const OPENED: ReadonlySet<string> = new Set('browser connection process session tab terminal transaction'.split(' '));
/** Matches what a description says before what a tool returns. */
const GIVING = /\b(?:gets? back|gives?|returns?|yields?)\b/i;
/** Verbs of tools that make things. */
export const MAKING: ReadonlySet<string> = new Set(['add', 'create', 'insert', 'make', 'register', 'upsert']);
/** Words for what holds files. */
const FOLDERS: ReadonlySet<string> = new Set(['dir', 'directory', 'folder']);
/** Words that say which things are listed, but not what they are, and words after which something else is named. */
const ANY: ReadonlySet<string> = new Set(['all', 'available', 'joined', 'my', 'the']);
const ELSE: ReadonlySet<string> = new Set(['and', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'to', 'with']);
/** Words that say what a thing is to another one, but not what it is. */
const ROLE: ReadonlySet<string> = new Set(['destination', 'from', 'new', 'old', 'parent', 'source', 'target', 'to']);

/** A tool that lists things, with its name in letters and the words for one of the things. */
interface Lister {
  readonly tool: Tool;
  readonly letters: string;
  readonly thing: readonly string[];
}

export function idSources(tools: readonly Tool[]): IdSources {
  const byServer = new Map<string, readonly Lister[]>();
  const listersOf = (server: string) => {
    const listers = byServer.get(server) ?? tools.filter((tool) => tool.server === server).flatMap(listerOf);
    byServer.set(server, listers);
    return listers;
  };
  return (of, argument, description) => {
    const words = wordsOf(argument).map(singular);
    if (!ID.has(words.pop() ?? '')) return undefined;
    while (words.length > 1 && ROLE.has(words[0] ?? '')) words.shift();
    const name = wordsOf(of.name).map(singular);
    const isMade = name.some((word) => MAKING.has(word)) && endsWith(name, words);
    const listers = listersOf(of.server);
    // The description may name the tool itself, or say that a path or a name will do.
    const said = description.slice(0, MAX_READ);
    const letters = squash(said);
    if (words.length === 0 || isMade || /\bor\b/i.test(said) || listers.some((it) => letters.includes(it.letters)))
      return undefined;
    const opener = OPENED.has(words.at(-1) ?? '') ? openerOf(of, argument, tools) : undefined;
    if (opener) return opener;
    const others = listers.filter(({ tool }) => tool.id !== of.id && !requiredOf(tool.inputSchema).has(argument));
    const before = idsBefore(of, argument);
    const exact = others.filter(({ tool, thing }) => thing.join() === words.join() && !isElsewhere(tool, of, before));
    const [only, ...more] = exact.length > 0 ? exact : othersNear(of, argument, words, others);
    return more.length === 0 ? only?.tool : undefined;
  };
}

/** Returns the tool that opens what an argument is the id of, as its description says; of several, the plainest. */
function openerOf(of: Tool, argument: string, tools: readonly Tool[]): Tool | undefined {
  const letters = squash(argument);
  const [first, second] = tools
    .filter((tool) => tool.server === of.server && givenBy(tool).some((said) => said.includes(letters)))
    .filter((tool) => listerOf(tool).length === 0 && !Object.hasOwn(propertiesOf(tool.inputSchema), argument))
    .map((tool) => ({ tool, words: wordsOf(tool.name).length }))
    .toSorted((a, b) => a.words - b.words);
  return first && first.words !== second?.words ? first.tool : undefined;
}

/** Returns a tool that finds what another one reads, by names alone: `read_text_file` → `search_files`. */
export function finderOf(of: Tool, tools: readonly Tool[]): Tool | undefined {
  const name = wordsOf(of.name).map(singular);
  if (name.some((word) => MAKING.has(word)) || listerOf(of).length > 0) return undefined;
  const finds = ({ thing }: Lister) => thing.join() === name.at(-1);
  return tools.find((tool) => tool.server === of.server && listerOf(tool).some(finds));
}

/** Returns the only tool that lists what a text argument names, by names alone: `database` → `list_databases`. */
export function listerOfNames(of: Tool, argument: string, tools: readonly Tool[]): Tool | undefined {
  const thing = wordsOf(argument).map(singular).join();
  const isMade = wordsOf(of.name).some((word) => MAKING.has(word)) && wordsOf(of.name).map(singular).includes(thing);
  if (isMade || asObject(propertiesOf(of.inputSchema)[argument])?.type !== 'string') return undefined;
  const [only, ...more] = tools.filter(
    (tool) =>
      tool.server === of.server &&
      tool.id !== of.id &&
      !requiredOf(tool.inputSchema).has(argument) &&
      listerOf(tool).some((lister) => lister.thing.join() === thing),
  );
  return more.length === 0 ? only : undefined;
}

/** Returns a tool that lists a folder, by its name, with the argument that takes the folder's path: the only one it needs. */
export function folderListerOf(of: Tool, tools: readonly Tool[]): readonly [tool: Tool, path: string] | undefined {
  for (const tool of tools) {
    const [path = '', ...others] = requiredOf(tool.inputSchema);
    const isOnly = others.length === 0 && isPath(path);
    if (isOnly && tool.server === of.server && listerOf(tool).some(({ thing }) => FOLDERS.has(thing.join())))
      return [tool, path];
  }
  return undefined;
}

/** Whether an argument is the path of a file or folder, by its name. */
export function isPath(argument: string): boolean {
  return wordsOf(argument).at(-1) === 'path';
}

/** Returns the ids that a tool requires before one of its arguments. */
function idsBefore({ inputSchema }: Tool, argument: string): readonly string[] {
  const required = [...requiredOf(inputSchema)];
  return required.slice(0, required.indexOf(argument)).filter(isId);
}

function isId(argument: string): boolean {
  return ID.has(wordsOf(argument).at(-1) ?? '');
}

/** Whether a tool lists things of other places: messages of a chat instead of a channel. */
function isElsewhere(lister: Tool, of: Tool, before: readonly string[]): boolean {
  const [given, taken] = [propertiesOf(of.inputSchema), propertiesOf(lister.inputSchema)];
  const needsOther = [...requiredOf(lister.inputSchema)].some((name) => isId(name) && !Object.hasOwn(given, name));
  return needsOther && before.some((name) => !Object.hasOwn(taken, name));
}

/**
 * Returns the tools that list these things among others of that name: the tool that takes the argument says which ones,
 * and both take the same ids before it. `channelId` of a tool with `teamId` → `list-team-channels`.
 */
function othersNear(
  of: Tool,
  argument: string,
  words: readonly string[],
  others: readonly Lister[],
): readonly Lister[] {
  const before = idsBefore(of, argument);
  const around = [of.name, of.server, ...requiredOf(of.inputSchema)];
  const own = new Set([...words, ...around.flatMap(wordsOf).map(singular)]);
  return others.filter(
    ({ tool, thing }) =>
      before.every((other) => Object.hasOwn(propertiesOf(tool.inputSchema), other)) &&
      words.some((_, from) => {
        const more = thing.slice(0, from - words.length);
        return more.length > 0 && endsWith(thing, words.slice(from)) && more.every((word) => own.has(word));
      }),
  );
}

/** Returns the words of a tool's name, without that of its server in front. */
export function ownWords(tool: Tool): readonly string[] {
  const server = wordsOf(tool.server);
  return wordsOf(tool.name).filter((word, at) => at > 0 || !server.includes(word));
}

/** Returns what a tool lists, which is read once. Tools stay the same objects as long as their catalog. */
const listerOf = memoizeBy(readLister, new WeakMap());

/** Returns the sentences that say what a tool returns, each in letters. */
const givenBy = memoizeBy(
  ({ description }: Tool) => sentencesOf(description).flatMap((it) => (GIVING.test(it) ? [squash(it)] : [])),
  new WeakMap(),
);

function readLister(tool: Tool): readonly Lister[] {
  if (deprecationIn(tool.description) !== undefined) return [];
  const words = ownWords(tool);
  const [verb = ''] = words;
  const isLast = LISTING.has(words.at(-1) ?? '');
  if (!isLast && !LISTING.has(verb) && !GETTING.has(verb)) return [];
  const rest = (isLast ? words.slice(0, -1) : words.slice(1)).filter((word) => !ANY.has(word));
  const end = rest.findIndex((word) => ELSE.has(word));
  const thing = end < 0 ? rest : rest.slice(0, end);
  const last = thing.at(-1) ?? '';
  if (last === '' || (GETTING.has(verb) && !isLast && singular(last) === last)) return [];
  return [{ tool, letters: squash(tool.name), thing: thing.map(singular) }];
}

function endsWith(words: readonly string[], end: readonly string[]): boolean {
  return words.slice(-end.length).join() === end.join();
}
