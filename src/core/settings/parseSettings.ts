import * as z from 'zod/mini';
import type { Diagnostic } from '../catalog/diagnostic';
import type { ToolExample } from '../catalog/tool';
import { parseBaseUrl } from './baseUrl';
import { DEFAULT_SETTINGS, type Settings } from './settings';

/** What a value may depend on. */
export interface SettingsContext {
  /** Every strategy that can be named: the built-in ones and those that other extensions registered. */
  readonly strategies: readonly string[];
}

export interface ParsedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Keys below `toolsearch.examples`. VS Code merges a setting and the settings below it into one object, so these show up
 * among the tool ids of `examples`.
 */
const KEYS_BELOW_EXAMPLES: ReadonlySet<string> = new Set(['maxPerTool', 'includeDescriptions', 'tags']);

/** Not `z.record`, which passes over a `__proto__`. */
const tableSchema = z.custom<{ readonly [name: string]: unknown }>((it) => typeof it === 'object' && it !== null && !Array.isArray(it));

const exampleSchema = z.object({
  args: z.record(z.string(), z.json()),
  description: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
});

/**
 * Reads the user's settings. Never throws: a bad value is reported under its key and its default stands in; in a list or
 * a table only the bad entry is left out.
 * @param raw the values by key without the `toolsearch.` prefix (`auto.maxTools`); a missing or undefined one is the default
 */
export function parseSettings(raw: { readonly [key: string]: unknown }, context: SettingsContext): ParsedSettings {
  const diagnostics: Diagnostic[] = [];
  const report = (key: string, message: string, severity: Diagnostic['severity'] = 'error') =>
    diagnostics.push({ severity, source: `toolsearch.${key}`, message });

  /** One value; `expected` ends the sentence "must be …". */
  const value = <T>(key: string, schema: z.ZodMiniType<T>, fallback: T, expected: string): T => {
    if (raw[key] === undefined) return fallback;
    const parsed = schema.safeParse(raw[key]);
    if (parsed.success) return parsed.data;
    report(key, `toolsearch.${key} must be ${expected}, but is ${show(raw[key])}. Using ${show(fallback)}.`);
    return fallback;
  };
  const choice = <T extends string>(key: string, choices: readonly T[], fallback: T): T =>
    value(key, z.enum(choices) as unknown as z.ZodMiniType<T>, fallback, `one of ${choices.join(', ')}`);
  const flag = (key: string, fallback: boolean): boolean => value(key, z.boolean(), fallback, 'true or false');
  const number = (key: string, min: number, max: number, fallback: number): number =>
    value(key, z.number().check(z.minimum(min), z.maximum(max)), fallback, `a number from ${min} to ${max}`);
  const whole = (key: string, min: number, max: number, fallback: number): number =>
    value(key, z.int().check(z.minimum(min), z.maximum(max)), fallback, `a whole number from ${min} to ${max}`);

  /** The strings of a list; others are reported and left out. `where` names the list within its setting. */
  const strings = (key: string, list: readonly unknown[], where: string): readonly string[] =>
    list.filter((item, index): item is string => {
      if (typeof item === 'string' && item.trim() !== '') return true;
      report(key, `Entry ${index + 1} of ${where} must be a text that isn't empty, but is ${show(item)}. It is left out.`);
      return false;
    });
  const stringList = (key: string, fallback: readonly string[]): readonly string[] =>
    strings(key, value<readonly unknown[]>(key, z.array(z.unknown()), fallback, 'a list of texts'), `toolsearch.${key}`);

  const table = (key: string, expected: string): [string, unknown][] => Object.entries(value(key, tableSchema, {}, expected));
  const patterns = (key: string): Settings['eagerTools'] => {
    const result: { [server: string]: readonly string[] } = {};
    for (const [server, globs] of table(key, 'an object of server names and lists of patterns')) {
      if (Array.isArray(globs)) define(result, server, strings(key, globs, `“${server}” in toolsearch.${key}`));
      else
        report(
          key,
          `“${server}” in toolsearch.${key} must be a list of patterns, as in ["search_*"], but is ${show(globs)}. It is left out.`,
        );
    }
    return result;
  };
  const examples = (key: string): Settings['examples'] => {
    const result: { [id: string]: readonly ToolExample[] } = {};
    for (const [id, list] of table(key, 'an object of tool ids and lists of examples')) {
      if (KEYS_BELOW_EXAMPLES.has(id)) continue;
      if (!Array.isArray(list)) {
        report(key, `“${id}” in toolsearch.${key} must be a list of examples, but is ${show(list)}. It is left out.`);
        continue;
      }
      const good: ToolExample[] = [];
      list.forEach((item: unknown, index) => {
        const parsed = exampleSchema.safeParse(item);
        if (parsed.success) good.push(parsed.data);
        else
          report(
            key,
            `Example ${index + 1} of “${id}” in toolsearch.${key} must be an object with args (an object) and, if wanted, description (a text) and tags (a list of texts). It is left out.`,
          );
      });
      define(result, id, good);
    }
    return result;
  };
  /** Unlike the others, a bad address has no fallback: questions meant for a gateway must not go to somebody else. */
  const address = (key: string, path: '/v1' | '', fallback: string | undefined): string | undefined => {
    if (raw[key] === undefined) return fallback;
    const parsed = typeof raw[key] === 'string' ? parseBaseUrl(raw[key], path) : ({ ok: false, expected: 'a URL' } as const);
    if (!parsed.ok) report(key, `toolsearch.${key} must be ${parsed.expected}, but is ${show(raw[key])}. Its models are not asked.`);
    else if (parsed.warning) report(key, `toolsearch.${key} ${parsed.warning}`, 'warning');
    return parsed.ok ? parsed.url : undefined;
  };
  const timeouts = (key: string): Settings['toolTimeouts'] => {
    const result: { [glob: string]: number } = {};
    for (const [glob, seconds] of table(key, 'an object of patterns and seconds')) {
      if (typeof seconds === 'number' && seconds >= 1 && seconds <= 3600) define(result, glob, seconds);
      else
        report(key, `“${glob}” in toolsearch.${key} must be a number of seconds from 1 to 3600, but is ${show(seconds)}. It is left out.`);
    }
    return result;
  };
  const d = DEFAULT_SETTINGS;
  const maxResultsLimit = whole('maxResultsLimit', 1, 100, d.maxResultsLimit);
  let maxResults = whole('maxResults', 1, 100, Math.min(d.maxResults, maxResultsLimit));
  if (maxResults > maxResultsLimit) {
    // VS Code gives the default where nothing is set, and nobody is to be told of a value that they didn't write.
    if (maxResults !== d.maxResults)
      report(
        'maxResults',
        `toolsearch.maxResults (${maxResults}) is more than toolsearch.maxResultsLimit (${maxResultsLimit}). Using ${maxResultsLimit}.`,
      );
    maxResults = maxResultsLimit;
  }

  const settings: Settings = {
    mode: choice('mode', ['auto', 'on', 'off'], d.mode),
    autoContextPercent: number('auto.contextPercent', 0, 100, d.autoContextPercent),
    autoMaxTools: whole('auto.maxTools', 0, 10_000, d.autoMaxTools),
    strategy: choice('strategy', ['auto', ...context.strategies], d.strategy),
    delivery: choice('delivery', ['auto', 'server', 'client', 'local', 'bridge'], d.delivery),
    scope: choice('scope', ['mcp', 'all'], d.scope),
    eagerTools: patterns('eagerTools'),
    deferredTools: patterns('deferredTools'),
    maxResults,
    maxResultsLimit,
    examples: examples('examples'),
    examplesMaxPerTool: whole('examples.maxPerTool', 0, 20, d.examplesMaxPerTool),
    examplesIncludeDescriptions: flag('examples.includeDescriptions', d.examplesIncludeDescriptions),
    examplesTags: stringList('examples.tags', d.examplesTags),
    guidance: flag('guidance', d.guidance),
    toolCallsPerTurn: whole('limits.toolCallsPerTurn', 1, 1000, d.toolCallsPerTurn),
    toolTimeoutSeconds: number('limits.toolTimeoutSeconds', 1, 3600, d.toolTimeoutSeconds),
    toolTimeouts: timeouts('limits.toolTimeouts'),
    retriesPerTool: whole('limits.retriesPerTool', 0, 20, d.retriesPerTool),
    sequentialTools: stringList('sequentialTools', d.sequentialTools),
    searchOnlyModel: flag('searchOnlyModel', d.searchOnlyModel),
    mcpHost: choice('mcp.host', ['vscode', 'extension'], d.mcpHost),
    anthropicBaseUrl: address('anthropic.baseUrl', '', d.anthropicBaseUrl),
    openaiBaseUrl: address('openai.baseUrl', '/v1', d.openaiBaseUrl),
  };
  return { settings, diagnostics };
}

/** Sets an own property even where the name is `__proto__`. */
function define<T>(target: { [key: string]: T }, key: string, value: T): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A value as it stands in settings.json, cut to fit a sentence. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
