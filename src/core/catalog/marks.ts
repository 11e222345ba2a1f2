// Marks parts of a tool's definition that may mislead a model or a person: hidden characters, encoded commands, orders
// to the model, and names of other servers' tools. A mark is shown to the person who decides about a call. It may be
// wrong and blocks nothing.

import { groupBy } from '../util/groupBy';
import { isDisguised, latinForm } from '../util/lookalikes';
import { isObject } from '../util/objects';
import { hiddenIn, oneLine, plainName } from '../util/plainText';
import { hiddenCommandIn, keyFileIn, orderIn, sendingIn } from './markPhrases';
import type { Tool } from './tool';

type MarkKind = 'hidden' | 'looks' | 'encoded' | 'order' | 'secret' | 'sends' | 'twin' | 'names';

export interface ToolMark {
  readonly kind: MarkKind;
  /** The marked part of the definition, or the other tool's id if two tools collide. */
  readonly part: string;
}

/** The parts of a tool that are checked. */
export type MarkedTool = Pick<
  Tool,
  'id' | 'server' | 'name' | 'description' | 'inputSchema' | 'outputSchema' | 'title' | 'unseen'
>;

/** The maximum number of characters of a schema's texts that are checked, and of a part that is shown. */
const MAX_TEXT = 30_000;
const MAX_PART = 120;

/** Returns a form that is the same for all names that look the same to a quick reader. */
function lookOf(name: string): string {
  return latinForm(name)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\s.\p{Pd}\p{Pc}\p{M}]/gu, '')
    .replaceAll('ı', 'i')
    .replace(/[1|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm');
}

type ByName = ReadonlyMap<string, readonly MarkedTool[]>;

/** Returns the marks that a tool has among the tools of a catalog. */
export function marksOf(tool: MarkedTool, all: readonly MarkedTool[]): readonly ToolMark[] {
  const byName = groupBy(all, ({ name }) => name);
  const text = textOf(tool);
  const marks: ToolMark[] = [];
  const add = (kind: MarkKind, part: string | undefined) => {
    if (part !== undefined && !marks.some((mark) => mark.kind === kind))
      marks.push({ kind, part: oneLine(part).slice(0, MAX_PART) });
  };
  add('hidden', tool.unseen ?? (hiddenIn(text) || undefined));
  add('looks', disguisedIn(tool));
  add('encoded', hiddenCommandIn(text));
  add('order', orderIn(text));
  add('sends', sendingIn(text));
  add('secret', keyFileIn(text, `${tool.server} ${tool.name}`));
  add('names', namedIn(text, tool, byName));
  add('twin', twinOf(tool, all, byName)?.id);
  return marks;
}

/** Returns the tool's name, or a word of its description, if letters of another script imitate Latin ones in it. */
function disguisedIn({ name, description }: MarkedTool): string | undefined {
  const shown = plainName(name);
  if (shown.includes('\\u{')) return shown;
  const word = description.match(/[\p{L}\p{N}_-]{4,}/gu)?.find(isDisguised);
  return word && plainName(word);
}

/** Schema keywords with prose for readers, and keywords with values that a model reads. */
const PROSE: ReadonlySet<string> = new Set(['description', 'title', '$comment']);
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'pattern']);

/** Returns all prose in a definition that a model reads, with long runs of blanks shortened. */
function textOf({ name, title = '', description, inputSchema, outputSchema }: MarkedTool): string {
  const texts: string[] = [];
  let room = MAX_TEXT;
  const add = (text: string) => {
    texts.push(text.slice(0, Math.max(0, room)));
    room -= text.length;
  };
  const waiting: { readonly key: string; readonly node: unknown }[] = [
    { key: '', node: outputSchema },
    { key: '', node: inputSchema },
  ];
  for (let next = waiting.pop(); next && room > 0; next = waiting.pop()) {
    const { key, node } = next;
    // A short value is a name, not prose.
    if (typeof node === 'string' && (PROSE.has(key) || (VALUES.has(key) && node.includes(' ')))) add(node);
    if (Array.isArray(node)) waiting.push(...node.slice(0, 100).map((item) => ({ key, node: item })));
    if (!isObject(node)) continue;
    for (const [name, value] of Object.entries(node)) {
      if (name.length >= LONG_NAME) add(name.replaceAll('_', ' '));
      waiting.push({ key: VALUES.has(key) ? key : name, node: value });
    }
  }
  return [name, title, description, ...texts]
    .filter(Boolean)
    .join('.\n')
    .replace(/\s{3,}/g, (blanks) => (blanks.includes('\n') ? '\n' : '  '));
}
/** If an argument's name has at least this many characters, it may hide a sentence, so it is checked like prose. */
const LONG_NAME = 24;

/** Returns a phrase that tells the model to call another server's tool. */
function namedIn(text: string, tool: MarkedTool, byName: ByName): string | undefined {
  for (const name of new Set(text.match(/[A-Za-z][\w-]{4,}/g))) {
    const named = byName.get(name) ?? [];
    const isOther = named.length > 0 && named.every(({ server }) => server !== tool.server);
    if (!isOther || !/[_-]|[a-z][A-Z]/.test(name)) continue;
    const calls = new RegExp(String.raw`\b${CALLS}\b[^.\n]{0,40}\b${name.replaceAll('-', '\\-')}\b`, 'i').exec(text);
    if (calls) return calls[0];
  }
  return undefined;
}

const CALLS = String.raw`(?:calls?|invokes?|runs?|use|execute|trigger|instead\s+of|before|after|replaces?|whenever|rufe?|verwende|benutze|nutze|starte|anstelle|statt|bevor|nachdem)`;

/** Two descriptions count as the same if at least this share of their words is common to both. */
const SAME = 0.7;

/**
 * Returns a tool of another server with a similar-looking name and a nearly identical description. If the two servers
 * share further tool names, they are the same product, and the tool isn't returned.
 */
function twinOf(tool: MarkedTool, all: readonly MarkedTool[], byName: ByName): MarkedTool | undefined {
  const look = lookOf(tool.name);
  const same = all.filter(({ server, name }) => server !== tool.server && lookOf(name) === look);
  return same.find((other) => isAlike(tool, other) && !isSameProduct(tool, other, byName));
}

function isSameProduct(a: MarkedTool, b: MarkedTool, byName: ByName): boolean {
  const isOf = (server: string) => (tool: MarkedTool) => tool.server === server;
  return [...byName].some(([name, same]) => name !== a.name && same.some(isOf(a.server)) && same.some(isOf(b.server)));
}

function isAlike(a: MarkedTool, b: MarkedTool): boolean {
  const [one, two] = [contentWords(a.description), contentWords(b.description)];
  const shared = [...one].filter((word) => two.has(word)).length;
  return one.size > 1 && shared / (one.size + two.size - shared) >= SAME;
}

function contentWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  return new Set(
    words.filter((word) => !/^(?:an?|the|of|to|in|on|for|and|or|by|with|from|via|is|it|this|that)$/.test(word)),
  );
}
