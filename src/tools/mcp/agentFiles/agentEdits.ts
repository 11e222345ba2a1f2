// Edits the files of other agents as text: adds our entry, switches servers off, and undoes both. The rest of a file,
// including its comments, stays the same byte by byte.

import { createHash } from 'node:crypto';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { l10n } from '../../../core/util/l10n';
import { asObject, isObject } from '../../../core/util/objects';
import { sameJson } from '../../../core/util/sameJson';
import type { AgentEntry, AgentFile } from './agentFileTable';
import { ENDPOINT_ENTRY, isEndpointUrl } from './endpointEntry';
import { parseAgentFile } from './readAgentFiles';

/** A change of a text at one position, which can be undone. */
export interface TextChange {
  /** The position of the change, in characters. */
  readonly at: number;
  readonly removed: string;
  readonly added: string;
  /** A hash of the whole text after the change. */
  readonly after: string;
  /** The servers that the change switched off, with their entries. */
  readonly servers?: Servers;
}

type Servers = { readonly [name: string]: unknown };
type Format = Pick<AgentFile, 'format' | 'key' | 'switchedOff'>;

/** Returns the entry for an endpoint of ours, and its address; undefined if there is none. */
export function entryOf(file: Format, text: string): { readonly url: string; readonly entry: AgentEntry } | undefined {
  const entry = asObject(serversOf(file, text)[ENDPOINT_ENTRY]);
  const url = entry?.url ?? entry?.serverUrl;
  return entry && isEndpointUrl(url) ? { url, entry } : undefined;
}

/** Returns the entries of these servers. */
export function serversOf(file: Format, text: string, names?: readonly string[]): Servers {
  const all = asObject(asObject(parsed(file, text))?.[file.key]) ?? {};
  return names ? Object.fromEntries(names.map((name) => [name, all[name]])) : all;
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

/** Returns the text with these servers switched off: by a flag if the agent knows one, otherwise by removing them. */
export function withoutServers(file: Format, text: string, names: readonly string[]): string {
  const { key, switchedOff } = file;
  const changed = (servers: Servers) =>
    Object.fromEntries(
      Object.entries(servers).flatMap(([name, entry]) => {
        if (!names.includes(name)) return [[name, entry]];
        return switchedOff && isObject(entry) ? [[name, { ...entry, ...switchedOff }]] : [];
      }),
    );
  return checked(file, text, changed, () => {
    let next = text;
    for (const name of names) {
      if (file.format === 'toml')
        next = switchedOff ? setFlags(next, key, name, switchedOff) : withoutTable(next, key, name);
      else if (!switchedOff) next = setJson(next, [key, name], undefined);
      else for (const [flag, value] of Object.entries(switchedOff)) next = setJson(next, [key, name, flag], value);
    }
    return next;
  });
}

/** Returns the difference between two texts as one change. */
export function changeBetween(before: string, after: string): TextChange {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return {
    at: start,
    removed: before.slice(start, before.length - end),
    added: after.slice(start, after.length - end),
    after: hashOf(after),
  };
}

/**
 * Returns the text with these changes undone. `changes` is in the order in which they were made. If the text has been
 * edited since, only our changes are undone: first as text, and what isn't found so, as entries.
 */
export function undone(file: Format, text: string, changes: readonly TextChange[]): string {
  let current = text;
  let isWhole = changes.length > 0;
  for (const { at, removed, added, after, servers = {} } of [...changes].reverse()) {
    const place = hashOf(current) === after ? at : onlyPlaceOf(added, current);
    if (place === undefined) {
      isWhole = false;
      current = withServers(file, current, servers);
    } else current = current.slice(0, place) + removed + current.slice(place + added.length);
  }
  if (isWhole || !entryOf(file, current)) return current;
  return withoutServers({ format: file.format, key: file.key }, current, [ENDPOINT_ENTRY]);
}

/** Returns the text with servers as they were before they were switched off. */
function withServers({ format, key, switchedOff = {} }: Format, text: string, servers: Servers): string {
  const on = Object.fromEntries(Object.entries(switchedOff).map(([flag, value]) => [flag, !value]));
  return Object.entries(servers).reduce(
    (next, [name, entry]) => (format === 'toml' ? setFlags(next, key, name, on) : setJson(next, [key, name], entry)),
    text,
  );
}

function onlyPlaceOf(part: string, text: string): number | undefined {
  const first = part === '' ? -1 : text.indexOf(part);
  return first < 0 || text.includes(part, first + 1) ? undefined : first;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Makes a change and checks its effect: the file must have the expected servers, and nothing else may differ. Throws an
 * error for the user otherwise.
 */
function checked(file: Format, text: string, change: (servers: Servers) => Servers, make: () => string): string {
  const before = parsed(file, text);
  if (!isObject(before)) throw new Error(l10n.t('The file isn’t valid, so it isn’t changed. Mend it first.'));
  const expected = { ...before, [file.key]: change(asObject(before[file.key]) ?? {}) };
  const after = make();
  if (!sameJson(plain(parsed(file, after)), plain(expected)))
    throw new Error(l10n.t('The file is written in a way that can’t be changed here. Change it yourself.'));
  return after;
}

/** Returns a value with JSON types only, for comparison: TOML's dates become texts, and undefined keys are left out. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (_, each) => (typeof each === 'bigint' ? String(each) : each)));
}

function parsed(file: Format, text: string): unknown {
  const { value, problem } = parseAgentFile(file, text);
  return problem ? undefined : value;
}

/**
 * Sets or removes a value in a JSON file. No other character changes; an editing library would reformat the neighbours.
 */
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
  else start = property.offset;
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
  const first = text
    .split('\n')
    .map(blanks)
    .find((each) => each !== '' && each.trim() === '');
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
  const old = tableOf(text, key, ENDPOINT_ENTRY);
  if (old) return text.slice(0, old.start) + table + (old.end < text.length ? eol : '') + text.slice(old.end);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return text + gap + table;
}

function withoutTable(text: string, key: string, name: string): string {
  const { start, end } = tableOf(text, key, name) ?? { start: 0, end: 0 };
  return text.slice(0, start) + text.slice(end);
}

/** Sets flags in the table of a server. */
function setFlags(text: string, key: string, name: string, flags: AgentEntry): string {
  const table = tableOf(text, key, name);
  if (!table) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  let own = text.slice(table.header, table.ownEnd);
  let added = '';
  for (const [flag, value] of Object.entries(flags)) {
    const line = own.split(eol).find((each) => each.split('=', 1)[0]?.trim() === flag);
    if (line === undefined) added += `${flag} = ${JSON.stringify(value)}${eol}`;
    else own = own.replace(line, () => line.replace(/\b(true|false)\b/, String(value)));
  }
  return text.slice(0, table.header) + added + own + text.slice(table.ownEnd);
}

/** The position of a table with its subtables, and of the table's own lines, in characters. */
interface TablePlace {
  readonly start: number;
  /** The position after the header line. */
  readonly header: number;
  /** The position of the next header. */
  readonly ownEnd: number;
  readonly end: number;
}

function tableOf(text: string, key: string, name: string): TablePlace | undefined {
  const names = [name, JSON.stringify(name), `'${name}'`].map((each) => `${key}.${each}`);
  let place: TablePlace | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const next = Math.min(at + line.length + 1, text.length);
    const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim();
    const isHeader = /^\s*\[/.test(line) && !/^\s*\[[^\]]*,/.test(line);
    if (place && isHeader) {
      const { start, header: afterHeader } = place;
      if (place.ownEnd === text.length) place = { start, header: afterHeader, ownEnd: at, end: text.length };
      if (!names.some((each) => header?.startsWith(`${each}.`))) return { ...place, end: at };
    } else if (header !== undefined && names.includes(header))
      place = { start: at, header: next, ownEnd: text.length, end: text.length };
    at = next;
  }
  return place;
}
