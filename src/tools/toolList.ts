// Converts listed tools to tools of the catalog. Repairs or drops malformed ones, limits their texts and gives them
// names for models.

import { boundSchema } from '../core/catalog/bounds';
import type { Diagnostic } from '../core/catalog/diagnostic';
import { assignModelNames } from '../core/catalog/modelNames';
import { compareText, type JsonSchema, type Tool, toolId, type UnnamedTool } from '../core/catalog/tool';
import { type ExampleOrigin, type ExampleRules, examplesOf, takeExamples } from '../core/settings/toolExamples';
import { shortHash } from '../core/util/hash';
import { l10n } from '../core/util/l10n';
import { hiddenIn, oneLine, visibleText } from '../core/util/plainText';
import { sameJson } from '../core/util/sameJson';
import { type ConfiguredServer, MAX_SERVER_NAME } from './configuredServer';
import type { ExampleChecks } from './exampleChecks';
import { isOfEndpoint, type ListedTool, toolOrigin } from './toolOrigin';

export interface ReadTools {
  readonly tools: readonly UnnamedTool[];
  /** Server → problems with its tools, as sentences. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
}

/** The maximum length of a tool's name, in characters. */
const MAX_NAME = 128;
/** The maximum number of characters of a name that are searched for visible ones, since invisible ones are removed. */
const LOOKED_AT = 1_000;
/** The length to which VS Code cuts a tool's name with its server's prefix, in characters. */
const MAX_VSCODE_NAME = 64;
/** In characters. The longest description of 705 tools of 12 real servers has 9,000. */
const MAX_DESCRIPTION = 20_000;

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

/**
 * Converts the tools that VS Code lists. Malformed tools are repaired if possible, and each repair is reported. Our own
 * tools are left out, even if one of our MCP endpoints lists them. A tool named `tool_search` is left out too, since
 * Copilot rewrites its results.
 */
export function readTools(listed: readonly ListedTool[], configured: readonly ConfiguredServer[]): ReadTools {
  const problems = new Map<string, string[]>();
  const report = (server: string, problem: string) => {
    const own = problems.get(server) ?? [];
    own.push(problem);
    problems.set(server, own);
  };
  const serverNames = configured.map((server) => server.name);
  const wanting = new Set(configured.filter((server) => server.alwaysLoad).map((server) => server.name));
  const byId = new Map<string, UnnamedTool>();
  const invokeNames = new Set<string>();

  for (const item of [...listed].sort((a, b) => compareText(a.name, b.name))) {
    if (item.name === 'tool_search' || item.name.startsWith('toolsearch_') || isOfEndpoint(item)) continue;
    const { server: givenServer, name: givenName, origin, referenceName } = toolOrigin(item, serverNames);
    const server = givenServer.length <= MAX_SERVER_NAME ? givenServer : boundName(givenServer);
    const listedName = boundName(givenName);
    if (invokeNames.has(item.name)) {
      report(
        server,
        l10n.t(
          'Two of its tools have the name {0} in VS Code. Only the first can be called, so the other is left out.',
          boundName(item.name),
        ),
      );
      continue;
    }
    invokeNames.add(item.name);
    const taken = byId.has(toolId(server, listedName));
    const name = taken ? `${listedName}_${shortHash(item.name)}` : listedName;
    if (taken)
      report(
        server,
        l10n.t(
          "Two of its tools are called {0}. To tell them apart, the one with VS Code's name {1} is listed as {2}.",
          listedName,
          boundName(item.name),
          name,
        ),
      );
    if (origin === 'mcp' && !item.own && item.name.length === MAX_VSCODE_NAME) {
      report(
        server,
        l10n.t(
          'VS Code has cut a tool’s name to {0} characters: {1}. If two of its tools have the same name after that, VS Code lists only one of them. With toolsearch.mcp.host set to extension, all are listed.',
          MAX_VSCODE_NAME,
          name,
        ),
      );
    }
    const { tool, problem } = readTool(item, { server, name, origin, referenceName });
    if (problem && origin === 'mcp') report(server, problem(name));
    // The user's `alwaysLoad` for a server in mcp.json applies to all of its tools.
    byId.set(tool.id, wanting.has(server) ? { ...tool, alwaysLoad: true } : tool);
  }
  return { tools: [...byId.values()], problems };
}

/** Reads what a tool says of itself. `problem` returns what was repaired in its schema, for its name. */
function readTool(
  { name: invokeName, own, ...item }: ListedTool,
  { server, name, origin, referenceName = '' }: ReturnType<typeof toolOrigin>,
): { readonly tool: UnnamedTool; readonly problem: ReturnType<typeof repairSchema>['problem'] } {
  const schema = repairSchema(item.inputSchema);
  const { schema: inputSchema, examples: inSchema } = takeExamples(schema.value);
  const examples = [...(item.examples ?? []), ...inSchema];
  const given = `${own?.title ?? ''} ${item.description ?? ''}`.slice(0, 2 * MAX_DESCRIPTION);
  const unseen = [hiddenIn(given), schema.hidden ?? ''].filter(Boolean).join(', ');
  const title = own?.title === undefined ? {} : { title: oneLine(own.title.slice(0, LOOKED_AT)).slice(0, MAX_NAME) };
  const tool = {
    ...own,
    ...title,
    ...(examples.length > 0 ? { examples } : {}),
    id: toolId(server, name),
    server,
    name,
    invokeName,
    description: boundDescription(item.description),
    inputSchema,
    origin,
    ...(referenceName === '' || referenceName.length > MAX_NAME ? {} : { referenceName }),
    ...(unseen === '' ? {} : { unseen }),
    ...(item.alwaysLoad === undefined ? {} : { alwaysLoad: item.alwaysLoad }),
  };
  return { tool, problem: schema.problem };
}

/** Adds the names for models and the examples. An unchanged tool remains the same object, which caches rely on. */
export function finishTools(
  tools: readonly UnnamedTool[],
  rules: ExampleRules,
  previous: ReadonlyMap<string, Tool>,
  verdictOn: ExampleChecks['verdictOn'],
): { readonly tools: readonly Tool[]; readonly diagnostics: readonly Diagnostic[] } {
  const { names, diagnostics: clashes } = assignModelNames(tools);
  const misfits: Diagnostic[] = [];
  const finished = tools.map(({ examples: own = [], ...tool }): Tool => {
    const examples = examplesOf(tool, own, rules, (example, origin) => {
      const verdict = verdictOn(tool, example);
      if (typeof verdict === 'object') misfits.push(misfitting(tool, origin, verdict.misfit));
      return verdict === 'fits';
    });
    const next: Tool = {
      ...tool,
      modelName: names.get(tool.id) ?? tool.invokeName,
      ...(examples.length > 0 ? { examples } : {}),
    };
    const before = previous.get(tool.id);
    return before && sameJson(before, next) ? before : next;
  });
  return { tools: finished, diagnostics: [...clashes, ...misfits] };
}

function misfitting({ id, server }: UnnamedTool, { by, index }: ExampleOrigin, misfit: string): Diagnostic {
  const [at, isUsers] = [index + 1, by === 'user'];
  const message = isUsers
    ? l10n.t('Example {0} of “{1}” in toolsearch.examples doesn’t fit the tool and isn’t used. {2}', at, id, misfit)
    : l10n.t('Example {0} that the server gives for “{1}” doesn’t fit the tool and isn’t used. {2}', at, id, misfit);
  return { severity: 'warning', source: isUsers ? 'toolsearch.examples' : server, message };
}

/** Returns a name that can be shown and stored. Long names are cut and get a hash, so that they stay different. */
export function boundName(given: string): string {
  const name = oneLine(given.slice(0, LOOKED_AT));
  return name !== '' && name.length <= MAX_NAME && given.length <= LOOKED_AT
    ? name
    : `${name.slice(0, MAX_NAME)}_${shortHash(given)}`;
}

export function boundDescription(given: unknown): string {
  const text = typeof given === 'string' ? visibleText(given.slice(0, 2 * MAX_DESCRIPTION)) : '';
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text;
}

/** Returns an object schema. Providers refuse any other one, and with it the whole request, so it is replaced. */
function repairSchema(schema: object | undefined): {
  readonly value: JsonSchema;
  /** Returns the problem as a sentence for the user. */
  readonly problem?: (name: string) => string;
  readonly hidden?: string;
} {
  const replaced = (problem: (name: string) => string) => ({ value: NO_ARGUMENTS, problem });
  if (schema === undefined || schema === null)
    return replaced((name) => l10n.t('{0} has no input schema. It is offered without arguments.', name));
  if (typeof schema !== 'object' || Array.isArray(schema))
    return replaced((name) =>
      l10n.t("The input schema of {0} isn't an object. It is offered without arguments.", name),
    );
  const { schema: value, cut, hidden } = boundSchema(schema as JsonSchema);
  const cutShort = (name: string) =>
    l10n.t('The input schema of {0} is too large. Its deepest and last parts are left out.', name);
  const problem = cut ? cutShort : undefined;
  if (value.type === 'object') return { value, hidden, problem };
  if (value.type === undefined) return { value: { ...value, type: 'object' }, hidden, problem };
  const type = JSON.stringify(value.type);
  return replaced((name) =>
    l10n.t('The input schema of {0} has the type {1}, not "object". It is offered without arguments.', name, type),
  );
}
