import Ajv, { type ErrorObject } from 'ajv';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../../core/catalog/tool';
import { re2 } from '../../core/util/re2';
import { type CheckableSchema, checkableSchema, type Dialect } from './checkableSchema';

// Compiles schemas with ajv. ajv is large, so this module is a separate bundle: import it dynamically.

/** Checks arguments and returns the errors; an empty list if they are valid. */
export type CompiledSchema = (input: object) => readonly ErrorObject[];

/**
 * The maximum lengths of a pattern and of a text that are matched, in characters. Longer ones aren't checked, since RE2
 * is slow in JavaScript.
 */
const MAX_PATTERN = 1_000;
const MAX_MATCHED = 20_000;

/** The total time to compile the patterns of one schema, in milliseconds. Patterns that remain then aren't checked. */
const PATTERNS_MS = 100;

/**
 * Compiles a schema of draft 7, 2019-09 or 2020-12. Unambiguous forms of older drafts and of OpenAPI are accepted too.
 * @throws {Error} if the schema is invalid, or refers to a part that it doesn't contain
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  const patterns = new Patterns();
  const prepared = checkableSchema(schema, (pattern) => patterns.matcherOf(pattern) !== undefined);
  try {
    return compileAs(prepared, prepared.dialect, patterns);
  } catch (error) {
    // A schema that doesn't name its version may be draft 7, which writes tuples in a way that 2020-12 doesn't know.
    if (prepared.guessed) return compileAs(prepared, 'draft-07', patterns);
    throw error;
  }
}

/**
 * Compiles with a new compiler, which takes half a millisecond. In a shared compiler, a schema could refer to the names
 * in another schema.
 */
function compileAs({ schema }: CheckableSchema, dialect: Dialect, patterns: Patterns): CompiledSchema {
  const Compiler = dialect === '2020-12' ? Ajv2020 : dialect === '2019-09' ? Ajv2019 : Ajv;
  const ajv = new Compiler({
    // Unknown keywords and formats in a server's schema are no reason to refuse a call.
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    allErrors: true,
    verbose: true,
    // Inherited properties, such as `constructor` and `toString`, aren't arguments.
    ownProperties: true,
    // Otherwise ajv compiles a part again wherever the schema refers to it, which may be thousands of times.
    inlineRefs: false,
    code: {
      // Makes compiling twice as fast.
      optimize: false,
      // Schemas are untrusted, and JavaScript's own regular expressions can run for ever.
      regExp: Object.assign((pattern: string) => patterns.matcherOf(pattern) ?? ANYTHING, { code: 'unused' }),
    },
  });
  addFormats(ajv, { mode: 'fast' });
  const validate = ajv.compile(schema);
  return (input) => (validate(input) ? [] : (validate.errors ?? []));
}

interface PatternMatcher {
  test(text: string): boolean;
  toString(): string;
}
const ANYTHING: PatternMatcher = { test: () => true, toString: () => '' };

/**
 * The patterns of one schema, compiled with RE2. RE2 matches in linear time, but patterns such as `(a?){1000}` become
 * large.
 */
class Patterns {
  readonly #known = new Map<string, PatternMatcher | undefined>();
  #ms = 0;

  /**
   * Returns a matcher that runs in linear time; undefined if no time is left to compile it, or RE2 doesn't support the
   * pattern (look-around, back-references).
   */
  matcherOf(pattern: string): PatternMatcher | undefined {
    if (this.#known.has(pattern)) return this.#known.get(pattern);
    const started = performance.now();
    const matcher = pattern.length > MAX_PATTERN || this.#ms > PATTERNS_MS ? undefined : compiled(pattern);
    this.#ms += performance.now() - started;
    this.#known.set(pattern, matcher);
    return matcher;
  }
}

function compiled(pattern: string): PatternMatcher | undefined {
  try {
    const RE2 = re2();
    const made = RE2.compile(RE2.translateRegExp(pattern));
    // Ajv keeps matchers by their texts.
    return { test: (text) => text.length > MAX_MATCHED || made.test(text), toString: () => pattern };
  } catch {
    return undefined;
  }
}
