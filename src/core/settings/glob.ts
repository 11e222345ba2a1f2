// Globs over tool names and ids, matched in linear time.

import { plainId } from '../catalog/tool';
import { re2 } from '../util/re2';

/**
 * The maximum length of a glob that is compiled, in characters. A longer glob matches only a name that is equal to it.
 */
const MAX_GLOB_LENGTH = 500;

/**
 * Compiles a glob for tool names: `*` matches any text (including slashes, since names aren't paths), `?` one
 * character, `[abc]`, `[!a-z]`, `{get,list}`, `\` before a literal character. An unclosed bracket is literal. Matching
 * takes linear time, because a workspace's settings must not be able to hang VS Code. Libraries for file globs don't
 * promise that: picomatch takes most of a minute for `*a*a*a*a*a*a*a*b`.
 */
export function compileGlob(glob: string): (name: string) => boolean {
  if (glob.length > MAX_GLOB_LENGTH || !/[*?[{\\]/.test(glob)) return (name) => name === glob;
  try {
    const pattern = re2().compile(toRegex(glob), re2().DOTALL);
    return (name) => name === glob || pattern.matches(name);
  } catch {
    return (name) => name === glob;
  }
}

/** Compiles a glob for tool ids. Slashes in a tool's name may be written as they are. */
export function compileIdGlob(glob: string): (id: string) => boolean {
  const matches = compileGlob(glob);
  return (id) => matches(id) || (id.includes('%') && matches(plainId(id)));
}

function toRegex(glob: string): string {
  let regex = '';
  for (let i = 0; i < glob.length; i++) {
    const char = glob.charAt(i);
    const end = char === '[' ? glob.indexOf(']', i + 2) : char === '{' ? closingBrace(glob, i) : -1;
    if (char === '*') regex += '.*';
    else if (char === '?') regex += '.';
    else if (char === '\\' && i + 1 < glob.length) regex += quote(glob.charAt(++i));
    else if (char === '[' && end > 0) {
      const set = glob.slice(i + 1, end);
      regex += set.startsWith('!') ? `[^${quoteSet(set.slice(1))}]` : `[${quoteSet(set)}]`;
      i = end;
    } else if (char === '{' && end > 0) {
      regex += `(?:${alternatives(glob.slice(i + 1, end))
        .map(toRegex)
        .join('|')})`;
      i = end;
    } else regex += quote(char);
  }
  return regex;
}

/** Returns the position at which the brace that opens at `start` closes; -1 if it doesn't close. */
function closingBrace(glob: string, start: number): number {
  let depth = 0;
  for (let i = start; i < glob.length; i++) {
    const char = glob.charAt(i);
    if (char === '\\') i++;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i;
  }
  return -1;
}

/** Splits a list at commas outside inner braces. */
function alternatives(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < list.length; i++) {
    const char = list.charAt(i);
    if (char === '\\') i++;
    else if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(list.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, list.slice(from)];
}

function quote(char: string): string {
  return re2().quote(char);
}

/** Escapes the inside of a character class. Its ranges keep their meaning; everything else is literal. */
function quoteSet(set: string): string {
  return set.replace(/[\\[\]^&~]/g, '\\$&');
}
