import Ajv, { type ErrorObject } from 'ajv';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../../core/catalog/tool';
import { re2 } from '../../core/util/re2';
import { type CheckableSchema, checkableSchema, type Dialect } from './checkableSchema';

// ajv is large, so this module is a file of its own in the package: import it dynamically.

/** Judges arguments; an empty list where they fit. */
export type CompiledSchema = (input: object) => readonly ErrorObject[];

/** Longer patterns, and longer texts to match, are let through: RE2 is linear, but in JavaScript it isn't fast. */
const MAX_PATTERN = 1_000;
const MAX_MATCHED = 20_000;

/** How long the patterns of one schema may take to compile: those after that are let through. In milliseconds. */
const PATTERNS_MS = 100;

/**
 * Compiles a schema of draft 7, 2019-09 or 2020-12; what older drafts and OpenAPI write otherwise is understood where the
 * meaning is plain.
 * @throws {Error} where the schema is none, or refers to what isn't in it
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  const patterns = new Patterns();
  const prepared = checkableSchema(schema, (pattern) => patterns.matcherOf(pattern) !== undefined);
  try {
    return compileAs(prepared, prepared.dialect, patterns);
  } catch (error) {
    // A schema that doesn't name its dialect may be of draft 7, whose tuples 2020-12 doesn't know.
    if (prepared.guessed) return compileAs(prepared, 'draft-07', patterns);
    throw error;
  }
}

/** With a compiler of its own, which takes half a millisecond: a shared one would let the names in one schema reach into another. */
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
    // Every object inherits a `constructor` and a `toString`: an argument of that name isn't there because of that.
    ownProperties: true,
    // Else a part is compiled anew in each place that refers to it: thousands of times, in a schema of 300 parts.
    inlineRefs: false,
    code: {
      // Compiles in half the time.
      optimize: false,
      // The schemas are nobody's who could be trusted with JavaScript's own regular expressions: those can take for ever.
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

/** The patterns of one schema. RE2 matches in linear time, but writes `(a?){1000}` out. */
class Patterns {
  readonly #known = new Map<string, Matcher | undefined>();
  #ms = 0;

  /** A pattern in linear time; undefined where RE2 doesn't take it (look-around, back-references), or there is no time for it. */
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
