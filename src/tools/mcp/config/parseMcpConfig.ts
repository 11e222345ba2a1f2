// Parses `mcp.json` files and reports the problems in them.

import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { l10n } from '../../../core/util/l10n';
import { messageOf } from '../../../core/util/messageOf';
import { isObject } from '../../../core/util/objects';
import { MAX_SERVER_NAME, MAX_SERVERS } from '../../configuredServer';

/** For each reported problem of a file, its line is counted from the beginning. */
const MAX_PROBLEMS = 50;

/** A problem in an `mcp.json`. */
interface ConfigProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The position in the text, in characters. */
  readonly offset: number;
  readonly length: number;
  /** The line number, from 1. */
  readonly line: number;
}

export interface McpConfig {
  /** Each server's entry as written. It may contain secrets, so it must not be logged or shown. */
  readonly definitions: ReadonlyMap<string, { readonly [key: string]: unknown }>;
  readonly inputs: readonly unknown[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads an `mcp.json`. If its values nest too deeply, that is the only problem, and the result has no servers. */
export function parseMcpConfig(text: string): McpConfig {
  try {
    return readMcpConfig(text);
  } catch (error) {
    return { definitions: new Map(), inputs: [], problems: [tooDeepToRead(error)] };
  }
}

/** Returns the problem of a file that nests too deeply to be parsed, with the parser's error. */
export function tooDeepToRead(error: unknown): ConfigProblem {
  const message = l10n.t('This file can’t be read: it nests too deeply. {0}', messageOf(error));
  return { severity: 'error', message, offset: 0, length: 1, line: 1 };
}

function entriesOf(list: Node | undefined): readonly (readonly [key: Node, value: Node | undefined])[] {
  if (list?.type !== 'object') return [];
  return (list.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    typeof key?.value === 'string' ? [[key, value] as const] : [],
  );
}

/** Returns what is wrong with a server's entry. An entry with an error can't be used. */
function problemsOfEntry(name: string, key: Node, value: Node | undefined) {
  const problem = (severity: ConfigProblem['severity'], at: Node, message: string) => [{ severity, at, message }];
  if (isLongName(name)) return problem('error', key, longName());
  const wrong = l10n.t('The server "{0}" must be an object with "command" or "url". It is left out.', name);
  if (value?.type !== 'object') return problem('error', value ?? key, wrong);
  const empty = l10n.t('The server "{0}" has neither "command" nor "url": VS Code can\'t start it.', name);
  return isText(value, 'command') || isText(value, 'url') ? [] : problem('warning', key, empty);
}

/** Reads an `mcp.json`, which may have comments and trailing commas. Of a broken file, the readable parts are used. */
function readMcpConfig(text: string): McpConfig {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const definitions = new Map<string, { readonly [key: string]: unknown }>();
  const problems: ConfigProblem[] = [];
  const report = (severity: ConfigProblem['severity'], at: { offset: number; length: number }, message: string) => {
    if (problems.length < MAX_PROBLEMS)
      problems.push({ severity, message, offset: at.offset, length: at.length, line: lineOf(text, at.offset) });
  };

  if (text.trim() === '') return { definitions, inputs: [], problems };
  for (const error of errors) {
    const what = words(printParseErrorCode(error.error));
    report('error', error, l10n.t("This isn't valid JSON: {0}. The rest of the file is used.", what));
  }
  if (root && root.type !== 'object') report('error', root, l10n.t('An mcp.json must hold an object with "servers".'));

  const list = root && findNodeAtLocation(root, ['servers']);
  const foreign = root && findNodeAtLocation(root, ['mcpServers']);
  if (!list && foreign)
    report('warning', foreign, l10n.t('VS Code reads "servers", not "mcpServers": these servers are not started.'));
  if (list && list.type !== 'object')
    report('error', list, l10n.t('"servers" must be an object of names and servers.'));
  for (const [key, value] of entriesOf(list)) {
    const name = String(key.value);
    if (definitions.size === MAX_SERVERS) {
      report('warning', key, tooManyServers());
      break;
    }
    for (const { severity, at, message } of problemsOfEntry(name, key, value)) report(severity, at, message);
    const isUsable = value?.type === 'object' && !isLongName(name);
    const definition: unknown = isUsable ? getNodeValue(value) : undefined;
    if (!isObject(definition)) continue;
    if (definitions.has(name))
      report('warning', key, l10n.t('The server "{0}" is listed twice. VS Code uses the last one.', name));
    definitions.set(name, definition);
  }
  const inputs = root && findNodeAtLocation(root, ['inputs']);
  return { definitions, inputs: inputs?.type === 'array' ? getNodeValue(inputs) : [], problems };
}

export function isLongName(name: string): boolean {
  return name.length > MAX_SERVER_NAME;
}

export function longName(): string {
  return l10n.t('A server whose name has more than {0} characters is left out.', MAX_SERVER_NAME);
}

export function tooManyServers(): string {
  return l10n.t('Only the first {0} servers of this file are used.', MAX_SERVERS);
}

/** Returns the position of a server's entry in a file, in characters; 0 if there is none. */
export function placeOfServer(text: string, name: string): number {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const entry = root && (findNodeAtLocation(root, ['servers', name]) ?? findNodeAtLocation(root, ['mcpServers', name]));
  return entry?.parent?.offset ?? 0;
}

function isText(server: Node, key: string): boolean {
  const value: unknown = findNodeAtLocation(server, [key])?.value;
  return typeof value === 'string' && value !== '';
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Converts an error code to words: `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
