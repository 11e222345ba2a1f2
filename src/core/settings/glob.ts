import type { RE2JS } from 're2js';
import { plainId } from '../catalog/tool';
import { once } from '../util/once';
import { re2 } from '../util/re2';

/** The maximum length of a compiled glob, in characters. A longer one matches only a name that is equal to it. */
const MAX_GLOB_LENGTH = 500;

/**
 * Compiles a glob for tool names: `*` matches any text (including slashes, since names aren't paths), `?` one
 * character, `[abc]`, `[!a-z]`, `{get,list}`, `\` before a literal character. An unclosed bracket is literal. Matching
 * takes linear time, because a workspace's settings must not be able to hang VS Code. Libraries for file globs don't
 * promise that: picomatch takes most of a minute for `*a*a*a*a*a*a*a*b`.
 */
export function compileGlob(glob: string): (name: string) => boolean {
  return compileGlobs([glob]);
}

/** Compiles several globs for tool names, of which one must match. This is much faster than one after the other. */
export function compileGlobs(globs: readonly string[]): (name: string) => boolean {
  const names = new Set(globs);
  const patterns = globs.filter((glob) => glob.length <= MAX_GLOB_LENGTH && /[*?[{\\]/.test(glob));
  const starred = patterns.filter(isStarred).map((glob) => matchesParts(glob.split('*')));
  const rest = patterns.filter((glob) => !isStarred(glob));
  const expression = once(() => (rest.length > 0 ? expressionOf(rest) : undefined));
  return (name) => names.has(name) || starred.some((matches) => matches(name)) || expression()?.matches(name) === true;
}

/** Whether stars are a glob's only special characters. */
function isStarred(glob: string): boolean {
  return !/[?[{\\]/.test(glob);
}

/** Returns one expression for all globs. A glob that isn't a valid expression is left out: it matches only its own name. */
function expressionOf(globs: readonly string[]): RE2JS | undefined {
  try {
    return re2().compile(globs.map((glob) => `(?:${toRegex(glob)})`).join('|'), re2().DOTALL);
  } catch {
    const valid = globs.length > 1 ? globs.filter((glob) => expressionOf([glob])) : [];
    return valid.length > 0 && valid.length < globs.length ? expressionOf(valid) : undefined;
  }
}

/** Returns a function that says whether a name is these parts with any text between them. RE2 takes 50 times longer. */
function matchesParts([first = '', ...rest]: string[]): (name: string) => boolean {
  const last = rest.pop() ?? '';
  return (name) => {
    const end = name.length - last.length;
    if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    return rest.every((part) => {
      const found = name.indexOf(part, at);
      at = found + part.length;
      return found >= 0 && at <= end;
    });
  };
}

/** Compiles globs for tool ids, of which one must match. Slashes in a tool's name may be written as they are. */
export function compileIdGlobs(globs: readonly string[]): (id: string) => boolean {
  const matches = compileGlobs(globs);
  return (id) => matches(id) || (id.includes('%') && matches(plainId(id)));
}

/** Compiles a table by globs for tool ids. Returns a function for the value of the first glob that matches an id. */
export function compileIdTable<Value>(table: { readonly [glob: string]: Value }): (id: string) => Value | undefined {
  const isNamed = compileIdGlobs(Object.keys(table));
  const rows = once(() => Object.entries(table).map(([glob, value]) => ({ matches: compileIdGlobs([glob]), value })));
  return (id) => (isNamed(id) ? rows().find(({ matches }) => matches(id))?.value : undefined);
}

/** @param grouping whether braces group alternatives; otherwise they are literal */
function toRegex(glob: string, grouping = true): string {
  let regex = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const char = glob.charAt(i);
    const end = char === '[' ? glob.indexOf(']', i + 2) : -1;
    if (char === '*') regex += '.*';
    else if (char === '?') regex += '.';
    else if (char === '\\' && i + 1 < glob.length) regex += quote(glob.charAt(++i));
    else if (end > 0) {
      regex += `[${quoteSet(glob.slice(i + 1, end))}]`;
      i = end;
    } else if (char === '{' && grouping) {
      regex += '(?:';
      depth++;
    } else if (char === '}' && depth > 0) {
      regex += ')';
      depth--;
    } else regex += char === ',' && depth > 0 ? '|' : quote(char);
  }
  return depth > 0 ? toRegex(glob, false) : regex;
}

function quote(char: string): string {
  return re2().quote(char);
}

/** Escapes the inside of a character class. Its ranges and a leading `!` keep their meaning; everything else is literal. */
function quoteSet(set: string): string {
  return set.replace(/[\\[\]^&~]/g, '\\$&').replace(/^!/, '^');
}
