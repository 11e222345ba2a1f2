/** A field at the top level of a document. If its value is a list, each element is a piece. */
export interface JsonPiece {
  readonly field: string;
  /** The index of the element; undefined if the value isn't a list. An empty list yields no pieces. */
  readonly index?: number;
  readonly value: unknown;
}

/** An error in a text that isn't a single JSON object, with its position. */
export class JsonError extends Error {
  constructor(
    message: string,
    /** The line number, from 1. */
    readonly line: number,
  ) {
    super(message);
  }
}

const BYTE_ORDER_MARK = '\uFEFF';
/** The only white space in JSON. */
const SPACE = /[ \t\n\r]*/y;
const PRIMITIVE = /[^ \t\n\r,\]}]+/y;
const NEXT = /["[\]{}]/g;

/**
 * Reads a JSON object in pieces, so that the caller can yield to the event loop while it reads a large file. Throws
 * {@link JsonError}.
 */
export function* jsonPieces(text: string): Generator<JsonPiece> {
  let at = space(text, text.startsWith(BYTE_ORDER_MARK) ? 1 : 0);
  if (text[at] !== '{') throw fail(text, at, 'An object is expected');
  at = space(text, at + 1);
  if (text[at] !== '}') {
    for (;;) {
      const nameEnd = valueEnd(text, at);
      const field = parse(text, at, nameEnd);
      if (typeof field !== 'string') throw fail(text, at, 'A name is expected');
      at = space(text, nameEnd);
      if (text[at] !== ':') throw fail(text, at, '“:” is expected');
      at = space(text, at + 1);
      if (text[at] === '[') at = yield* elements(text, field, at);
      else {
        const end = valueEnd(text, at);
        yield { field, value: parse(text, at, end) };
        at = end;
      }
      at = space(text, at);
      if (text[at] === '}') break;
      if (text[at] !== ',') throw fail(text, at, '“,” or “}” is expected');
      at = space(text, at + 1);
    }
  }
  at = space(text, at + 1);
  if (at < text.length) throw fail(text, at, 'There is something after the end');
}

/** @returns the offset of the end of the list */
function* elements(text: string, field: string, start: number): Generator<JsonPiece, number> {
  let at = space(text, start + 1);
  if (text[at] === ']') return at + 1;
  for (let index = 0; ; index++) {
    const end = valueEnd(text, at);
    yield { field, index, value: parse(text, at, end) };
    at = space(text, end);
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw fail(text, at, '“,” or “]” is expected');
    at = space(text, at + 1);
  }
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') {
    PRIMITIVE.lastIndex = start;
    return start + (PRIMITIVE.exec(text)?.[0].length ?? 0);
  }
  let depth = 0;
  NEXT.lastIndex = start;
  for (let found = NEXT.exec(text); found; found = NEXT.exec(text)) {
    const [sign] = found;
    if (sign === '"') NEXT.lastIndex = stringEnd(text, found.index);
    else if (sign === '{' || sign === '[') depth++;
    else if (--depth === 0) return found.index + 1;
  }
  throw fail(text, text.length, 'The text ends too early');
}

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  throw fail(text, text.length, 'The text ends too early');
}

function parse(text: string, start: number, end: number): unknown {
  try {
    return JSON.parse(text.slice(start, end));
  } catch (error) {
    throw fail(text, start, messageOf(error));
  }
}

function space(text: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(text)?.[0].length ?? 0);
}

function fail(text: string, at: number, message: string): JsonError {
  let line = 1;
  for (let found = text.indexOf('\n'); found >= 0 && found < at; found = text.indexOf('\n', found + 1)) line++;
  return new JsonError(message, line);
}

import { messageOf } from '../../core/util/messageOf';
