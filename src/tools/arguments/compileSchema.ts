import Ajv, { type ErrorObject } from 'ajv';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../../core/catalog/tool';
import { re2 } from '../../core/util/re2';
import { type CheckableSchema, checkableSchema, type Dialect } from './checkableSchema';

// Compiles schemas with ajv. ajv is large, so this module is a file of its own in the package: import it dynamically.

/** Checks arguments and returns the errors; an empty list if they are valid. */
export type CompiledSchema = (input: object) => readonly ErrorObject[];

/**
 * Limits on the length of a pattern and of a text to match, in characters. Longer ones are not checked: RE2 is linear,
 * but slow in JavaScript.
 */
const MAX_PATTERN = 1_000;
const MAX_MATCHED = 20_000;

/** Total time to compile the patterns of one schema, in milliseconds. The patterns after that are not checked. */
const PATTERNS_MS = 100;

/**
 * Compiles a schema of draft 7, 2019-09 or 2020-12. The forms of older drafts and OpenAPI are understood if their
 * meaning is plain.
 * @throws {Error} if the schema is invalid, or refers to a part that it doesn't contain
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  const patterns = new Patterns();
  const prepared = checkableSchema(schema, (pattern) => patterns.matcherOf(pattern) !== undefined);
  try {
    return compileAs(prepared, prepared.dialect, patterns);
  } catch (error) {
    // A schema without a named dialect may be draft 7, whose tuples 2020-12 doesn't know.
    if (prepared.guessed) return compileAs(prepared, 'draft-07', patterns);
    throw error;
  }
}

/**
 * Uses a new compiler for each schema, which takes half a millisecond. In a shared compiler, names in one schema could
 * reach into another.
 */
function compileAs({ schema }: CheckableSchema, dialect: Dialect, patterns: Patterns): CompiledSchema {
  const Compiler = dialect === '2020-12' ? Ajv2020 : dialect === '2019-09' ? Ajv2019 : Ajv;
  const ajv = new Compiler({
    // A server's schema is taken as it is: unknown keywords and formats are no reason to refuse a call.
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    allErrors: true,
    verbose: true,
    // Every object inherits `constructor` and `toString`: an inherited property is not an argument.
    ownProperties: true,
    // Otherwise a part is compiled again in each place that refers to it: thousands of times in a schema of 300 parts.
    inlineRefs: false,
    code: {
      // Halves the time of compiling.
      optimize: false,
      // Schemas are untrusted, and JavaScript's own regular expressions can run forever.
      regExp: Object.assign((pattern: string) => patterns.matcherOf(pattern) ?? ANYTHING, { code: 'unused' }),
    },
  });
  addFormats(ajv, { mode: 'fast' });
  const validate = ajv.compile(schema);
  return (input) => (validate(input) ? [] : (validate.errors ?? []));
}

interface Matcher {
  test(text: string): boolean;
}
const ANYTHING: Matcher = { test: () => true };

/** The patterns of one schema. RE2 matches in linear time, but expands `(a?){1000}`. */
class Patterns {
  readonly #known = new Map<string, Matcher | undefined>();
  #ms = 0;

  /**
   * Returns a matcher that takes linear time; undefined if RE2 doesn't support the pattern (look-around,
   * back-references) or no time is left for it.
   */
  matcherOf(pattern: string): Matcher | undefined {
    if (this.#known.has(pattern)) return this.#known.get(pattern);
    const started = performance.now();
    const matcher = pattern.length > MAX_PATTERN || this.#ms > PATTERNS_MS ? undefined : compiled(pattern);
    this.#ms += performance.now() - started;
    this.#known.set(pattern, matcher);
    return matcher;
  }
}

function compiled(pattern: string): Matcher | undefined {
  try {
    const RE2 = re2();
    const made = RE2.compile(RE2.translateRegExp(pattern));
    return { test: (text) => text.length > MAX_MATCHED || made.test(text) };
  } catch {
    return undefined;
  }
}
