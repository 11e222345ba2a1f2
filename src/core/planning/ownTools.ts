import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOLS } from '../catalog/modelNames';
import type { ToolDefinition } from '../catalog/tool';
import { RUN_CODE_DEFINITION } from '../code/runCode';
import type { DeliveryName, ModelInfo } from '../ports';
import type { Settings } from '../settings/settings';
import { cut } from '../util/cut';
/** More phrases than this in one search bring noise, not recall. */
export const MAX_QUERIES = 5;

/**
 * The definitions that are ours in a request with something to search; with `server` the provider has its own. Constant for
 * a session, so that a cached prefix holds.
 */
export function ownDefinitions(
  delivery: DeliveryName,
  settings: Pick<Settings, 'maxResults' | 'maxResultsLimit'>,
  { strategy = 'bm25', code = false }: { readonly strategy?: string; readonly code?: boolean } = {},
): readonly ToolDefinition[] {
  const search = searchDefinition(delivery, settings, WORDING[strategy] ?? PHRASES);
  const script = code ? [RUN_CODE_DEFINITION] : [];
  if (delivery === 'server') return script;
  if (delivery !== 'bridge') return [search, ...script];
  return [search, ...(code ? [] : [DESCRIBE_DEFINITION]), CALL_DEFINITION, ...script];
}

/** A model with a smaller window has little room for scripts and what they return. In tokens. */
const MIN_CODE_WINDOW = 32_000;

/** Whether a turn's model is offered `run_code`. A window that nobody knows is taken to be large enough. */
export function offersCode({ codeMode }: Pick<Settings, 'codeMode'>, model: ModelInfo, deferred: number): boolean {
  if (codeMode === 'off' || !model.toolCalling) return false;
  return codeMode === 'on' || (deferred > 0 && (model.maxInputTokens === 0 || model.maxInputTokens >= MIN_CODE_WINDOW));
}

function own(name: string): Pick<ToolDefinition, 'id' | 'server' | 'name'> {
  return { id: name, server: '', name };
}

/** How a strategy asks for what it can match. */
interface Wording {
  readonly queries: string;
  readonly type: string;
  readonly examples: readonly (readonly string[])[];
}

const PHRASES: Wording = {
  queries: `One short phrase for each need, such as "create issue" or "read file". A tool's exact name finds it; "select:name1,name2" returns just these; "+word" must match.`,
  type: 'Leave out, unless you want a regular expression (regex) or whole names (exact).',
  examples: [['create issue', 'list pull requests'], ['select:github_create_issue']],
};

/** What is said other than for phrases: a model that writes "create issue" as a pattern finds nothing. */
const WORDING: { readonly [strategy: string]: Wording } = {
  regex: {
    queries: `One regular expression for each need (Python's syntax, case is ignored, no look-around), matched against names, descriptions and arguments: "create.*issue", "read|open.*file". A blank stands for itself, and names have none.`,
    type: 'Leave out, unless you want to search by a phrase in plain words (bm25) or whole names (exact).',
    examples: [['create.*issue', 'pull_?request'], ['^github_(list|get)_']],
  },
  exact: {
    queries:
      'Whole names of tools, one each, such as "create_issue"; case and separators don\'t matter. Only a whole name finds its tool.',
    type: "Leave out, unless you don't know the name: then search by a phrase in plain words (bm25) or a regular expression (regex).",
    examples: [['create_issue', 'list_pull_requests'], ['github_create_issue']],
  },
};

function searchDefinition(
  delivery: DeliveryName,
  settings: Pick<Settings, 'maxResults' | 'maxResultsLimit'>,
  wording: Wording,
): ToolDefinition {
  const use =
    delivery === 'bridge'
      ? `Found tools are run with ${CALL_TOOL}.`
      : 'Found tools can be called by name from your next step on.';
  return {
    ...own(SEARCH_TOOLS),
    description: `Searches the tools that are not listed here. Use it whenever the listed tools can't do what is asked, before you say that it can't be done. ${use}`,
    inputSchema: {
      type: 'object',
      properties: {
        queries: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: MAX_QUERIES,
          description: wording.queries,
        },
        search_type: {
          type: 'string',
          enum: ['bm25', 'regex', 'exact'],
          description: wording.type,
        },
        server: { type: 'string', description: 'Only tools of this server.' },
        read_only: { type: 'boolean', description: 'Only tools that say that they change nothing.' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: settings.maxResultsLimit,
          description: `Tools per query, ${settings.maxResults} if left out.`,
        },
      },
      required: ['queries'],
    },
    examples: wording.examples.map((queries) => ({ args: { queries } })),
  };
}

const DESCRIBE_DEFINITION: ToolDefinition = {
  ...own(DESCRIBE_TOOL),
  description: `Returns the whole description and input schema of tools that ${SEARCH_TOOLS} found.`,
  inputSchema: {
    type: 'object',
    properties: {
      names: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 10,
        description: 'Names as the search returned them.',
      },
    },
    required: ['names'],
  },
  examples: [{ args: { names: ['github_create_issue'] } }],
};

const CALL_DEFINITION: ToolDefinition = {
  ...own(CALL_TOOL),
  description: `Runs a tool that ${SEARCH_TOOLS} found.`,
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Its name as the search returned it.' },
      arguments: { type: 'object', description: 'What its input schema asks for.', additionalProperties: true },
    },
    required: ['name', 'arguments'],
  },
  examples: [{ args: { name: 'github_create_issue', arguments: { title: 'Broken link' } } }],
};

/**
 * The hint that makes a model search at all: how many tools it doesn't see, and of which servers.
 * Servers' names are data from outside: they are quoted and cut.
 */
export function guidanceText(deferred: number, servers: readonly string[], delivery: DeliveryName): string {
  const names = servers.slice(0, 30).map((name) => JSON.stringify(cut(name, 40)));
  const more = servers.length > names.length ? ` and ${servers.length - names.length} more` : '';
  if (delivery === 'server')
    return `${deferred} more tools of these servers are not listed, to save context: ${names.join(', ')}${more}. When the listed tools don't do, search for tools with a few words on what they should do, then call what you found. Don't say that something can't be done before you searched.`;
  const then = delivery === 'bridge' ? `run what you find with ${CALL_TOOL}` : 'then call what you found by name';
  return `${deferred} more tools of these servers are not listed, to save context: ${names.join(', ')}${more}. When the listed tools don't do, call ${SEARCH_TOOLS} with short phrases, ${then}. Don't say that something can't be done before you searched.`;
}
