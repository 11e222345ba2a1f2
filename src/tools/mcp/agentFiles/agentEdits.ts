// Edits the files of other agents as text: adds our entry, and removes it. The rest of a file, including its comments,
// stays the same byte by byte.

import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { l10n } from '../../../core/util/l10n';
import { asObject, isObject } from '../../../core/util/objects';
import { sameJson } from '../../../core/util/sameJson';
import type { AgentEntry, AgentFile } from './agentFileTable';
import { ENDPOINT_ENTRY, isEndpointUrl } from './ownEndpoint';
import { parseAgentFile } from './readAgentFiles';

type Servers = { readonly [name: string]: unknown };
type Format = Pick<AgentFile, 'format' | 'key'>;

/** Returns the entry for an endpoint of ours, and its address; undefined if there is none. */
export function entryOf(file: Format, text: string): { readonly url: string; readonly entry: AgentEntry } | undefined {
  const entry = asObject(asObject(asObject(parsed(file, text))?.[file.key])?.[ENDPOINT_ENTRY]);
  const url = entry?.url ?? entry?.serverUrl;
  return entry && isEndpointUrl(url) ? { url, entry } : undefined;
}

/** Returns the text with an entry for our endpoint. An earlier entry is replaced. */
export function withEntry(file: Format, text: string, entry: AgentEntry): string {
  return checked(
    file,
    text,
    (servers) => ({ ...servers, [ENDPOINT_ENTRY]: entry }),
    () => (file.format === 'toml' ? setTable(text, file.key, entry) : setJson(text, [file.key, ENDPOINT_ENTRY], entry)),
  );
}

/** Returns the text without the entry for our endpoint. */
export function withoutEntry(file: Format, text: string): string {
  return checked(
    file,
    text,
    ({ [ENDPOINT_ENTRY]: _, ...servers }) => servers,
    () =>
      file.format === 'toml' ? withoutTable(text, file.key) : setJson(text, [file.key, ENDPOINT_ENTRY], undefined),
  );
}

/** Makes a change. Throws an error for the user unless the file then has the expected servers and is else the same. */
function checked(file: Format, text: string, change: (servers: Servers) => Servers, make: () => string): string {
  const before = parsed(file, text);
  if (!isObject(before)) throw new Error(l10n.t('The file isn’t valid, so it isn’t changed. Mend it first.'));
  const expected = { ...before, [file.key]: change(asObject(before[file.key]) ?? {}) };
  const after = make();
  const now = plain(parsed(file, after));
  // A TOML file without our table, which was the only one, has no servers' key.
  if (!isObject(now) || !sameJson({ [file.key]: {}, ...now }, plain(expected)))
    throw new Error(l10n.t('The file is written in a way that can’t be changed here. Change it yourself.'));
  return after;
}

/** Returns a value with JSON's types only: TOML's dates become texts, and undefined keys are left out. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (_, each) => (typeof each === 'bigint' ? String(each) : each)));
}

function parsed(file: Format, text: string): unknown {
  const { value, problem } = parseAgentFile(file, text);
  return problem ? undefined : value;
}

/** Sets or removes a value in a JSON text. An editing library would reformat the neighbours. */
function setJson(text: string, keys: readonly string[], value: unknown): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (!root) return `${mark}${written(wrapped(keys, value), '', '  ', eol)}${eol}`;
  const known = findNodeAtLocation(root, [...keys]);
  if (value === undefined) return mark + (known?.parent ? withoutProperty(body, known.parent) : body);
  if (known) {
    const { outer, step } = indentAt(body, known.parent?.offset ?? 0);
    return mark + spliced(body, known.offset, known.length, written(value, outer, step, eol));
  }
  let depth = keys.length - 1;
  while (depth > 0 && !findNodeAtLocation(root, keys.slice(0, depth))) depth--;
  const object = depth === 0 ? root : findNodeAtLocation(root, keys.slice(0, depth));
  if (object?.type !== 'object') return text;
  return mark + withProperty(body, object, [keys[depth] ?? '', wrapped(keys.slice(depth + 1), value)], eol);
}

function wrapped(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** Inserts a property at the start of an object. At the end, it could separate a comment from its line. */
function withProperty(text: string, object: Node, [key, value]: readonly [string, unknown], eol: string): string {
  const [first] = object.children ?? [];
  const at = object.offset + 1;
  const isInLine = first !== undefined && !text.slice(at, first.offset).includes('\n');
  if (isInLine) return spliced(text, at, 0, `${JSON.stringify(key)}: ${JSON.stringify(value)}, `);
  const { outer, step } = indentAt(text, object.parent?.offset ?? object.offset);
  const inner = first ? indentAt(text, first.offset).outer : outer + step;
  const property = `${eol}${inner}${JSON.stringify(key)}: ${written(value, inner, step, eol)}`;
  const rest = text.slice(at, object.offset + object.length - 1).trim() === '' ? `${eol}${outer}` : '';
  return spliced(text, at, rest === '' ? 0 : object.length - 2, property + (first ? ',' : rest));
}

/** Removes a property with its comma, and its line if nothing else is on that line. */
function withoutProperty(text: string, property: Node): string {
  const siblings = property.parent?.children ?? [];
  const before = siblings[siblings.indexOf(property) - 1];
  let start = property.offset;
  let end = property.offset + property.length;
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t' || text[at] === '\r';
  let next = end;
  while (isBlank(next) || text[next] === '\n') next++;
  const commaBefore = before && text[before.offset + before.length] === ',' ? before.offset + before.length : undefined;
  if (text[next] === ',') end = next + 1;
  const drop = text[next] === ',' ? undefined : commaBefore;
  while (isBlank(start - 1)) start--;
  let lineEnd = end;
  while (isBlank(lineEnd)) lineEnd++;
  if (text[start - 1] === '\n' && text[lineEnd] === '\n') end = lineEnd + 1;
  else [start, end] = [property.offset, lineEnd];
  const without = spliced(text, start, end - start, '');
  return drop === undefined ? without : spliced(without, drop, 1, '');
}

function spliced(text: string, at: number, length: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at + length);
}

/** Returns the indentation of the line at this position, and one indentation step of the file. */
function indentAt(text: string, offset: number): { readonly outer: string; readonly step: string } {
  const blanks = (line: string) => line.slice(0, line.length - line.trimStart().length);
  const outer = blanks(`${text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)}x`);
  const first = text.split('\n').map(blanks).find(Boolean);
  return { outer, step: first?.replace('\r', '') || '  ' };
}

function written(value: unknown, outer: string, step: string, eol: string): string {
  return JSON.stringify(value, undefined, step).replaceAll('\n', eol + outer);
}

/** Appends our table to the end, or replaces an earlier one. */
function setTable(text: string, key: string, entry: AgentEntry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const value = (each: unknown): string =>
    isObject(each)
      ? `{ ${Object.entries(each)
          .map(([name, inner]) => `${name} = ${value(inner)}`)
          .join(', ')} }`
      : JSON.stringify(each);
  const lines = Object.entries(entry).map(([name, each]) => `${name} = ${value(each)}`);
  const table = [`[${key}.${ENDPOINT_ENTRY}]`, ...lines, ''].join(eol);
  const old = tableOf(text, key);
  if (old) return text.slice(0, old.start) + table + (old.end < text.length ? eol : '') + text.slice(old.end);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return text + gap + table;
}

function withoutTable(text: string, key: string): string {
  const { start, end } = tableOf(text, key) ?? { start: 0, end: 0 };
  return text.slice(0, start) + text.slice(end);
}

/** Returns the position of our table with its subtables, in characters; undefined if there is none. */
function tableOf(text: string, key: string): { readonly start: number; readonly end: number } | undefined {
  const names = [ENDPOINT_ENTRY, JSON.stringify(ENDPOINT_ENTRY), `'${ENDPOINT_ENTRY}'`].map((name) => `${key}.${name}`);
  let start: number | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim();
    const isHeader = /^\s*\[/.test(line) && !/^\s*\[[^\]]*,/.test(line);
    if (start === undefined) {
      if (header !== undefined && names.includes(header)) start = at;
    } else if (isHeader && !names.some((name) => header?.startsWith(`${name}.`))) return { start, end: at };
    at = Math.min(at + line.length + 1, text.length);
  }
  return start === undefined ? undefined : { start, end: text.length };
}
