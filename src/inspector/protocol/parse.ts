import { EXPORT_FORMATS, type KeptExport, MAX_DROPPED } from './export';
import type { Request, ToHost } from './messages';
import type { PlayQuestion } from './playground';
import type { SuggestionToHost } from './suggestions';
import type { HostCommand, Pin } from './view';

const COMMANDS: { readonly [command in HostCommand]: true } = {
  selectStrategy: true,
  selectDelivery: true,
  selectMode: true,
  findTools: true,
  openSettings: true,
  showLog: true,
  openMcpJson: true,
  addServer: true,
  startServers: true,
  compareChanged: true,
  acceptChanged: true,
  manageTrust: true,
};
/** Those that can be for one server alone. */
const OF_SERVER: ReadonlySet<HostCommand> = new Set(['startServers', 'compareChanged', 'acceptChanged']);
/** Those that can be for one tool of a server alone. */
const OF_TOOL: ReadonlySet<HostCommand> = new Set(['compareChanged', 'acceptChanged']);
const PINS: { readonly [pin in Pin]: true } = { auto: true, eager: true, deferred: true };
const PLAY_MODES: { readonly [mode in PlayQuestion['mode']]: true } = { query: true, tool: true };
const PLAY_SCOPES: { readonly [scope in PlayQuestion['scope']]: true } = { all: true, deferred: true };
const SUGGESTION_ACTS: { readonly [act in SuggestionToHost['act']]: true } = {
  apply: true,
  dismiss: true,
  undo: true,
  restore: true,
};
/** Characters; nobody types more, and a search takes time by their number. */
const MAX_QUERY = 2_000;
const TARGETS = { tool: true, server: true, all: true } as const;

/** What the webview sent, checked: undefined where it is nothing that we know. */
export function parseRequest(sent: unknown): Request | undefined {
  if (!isRecord(sent) || typeof sent.request !== 'number') return undefined;
  const message = parseToHost(sent.message);
  return message && { request: sent.request, message };
}

function parseToHost(message: unknown): ToHost | undefined {
  if (!isRecord(message)) return undefined;
  switch (message.type) {
    case 'ready':
      return { type: 'ready' };
    case 'run': {
      const { command, server, tool } = message;
      if (!isKey(COMMANDS, command)) return undefined;
      if (server === undefined && tool === undefined) return { type: 'run', command };
      if (!OF_SERVER.has(command) || typeof server !== 'string') return undefined;
      if (tool === undefined) return { type: 'run', command, server };
      return OF_TOOL.has(command) && typeof tool === 'string' ? { type: 'run', command, server, tool } : undefined;
    }
    case 'pin': {
      const { target, pin } = message;
      if (!isRecord(target) || !isKey(TARGETS, target.kind) || typeof target.id !== 'string' || !isKey(PINS, pin))
        return undefined;
      return { type: 'pin', target: { kind: target.kind, id: target.id }, pin };
    }
    case 'getTool':
      return typeof message.id === 'string' ? { type: 'getTool', id: message.id } : undefined;
    case 'watch': {
      const { turn } = message;
      return turn === null || (typeof turn === 'number' && Number.isInteger(turn))
        ? { type: 'watch', turn }
        : undefined;
    }
    case 'export': {
      const format = EXPORT_FORMATS.find((known) => known === message.format);
      return format && typeof message.contents === 'boolean'
        ? { type: 'export', format, contents: message.contents }
        : undefined;
    }
    case 'openExport':
      return { type: 'openExport' };
    case 'openText': {
      const { name, text } = message;
      if (typeof name !== 'string' || typeof text !== 'string' || text.length > MAX_DROPPED) return undefined;
      return { type: 'openText', name, text };
    }
    case 'copy':
      return typeof message.text === 'string' ? { type: 'copy', text: message.text } : undefined;
    case 'runScript':
      return typeof message.code === 'string' ? { type: 'runScript', code: message.code } : undefined;
    case 'stopScript':
      return { type: 'stopScript' };
    case 'play': {
      const question = parseQuestion(message.question);
      return question && { type: 'play', question };
    }
    case 'suggest':
      return isKey(SUGGESTION_ACTS, message.act) && typeof message.id === 'string'
        ? { type: 'suggest', act: message.act, id: message.id }
        : undefined;
    default:
      return undefined;
  }
}

/** Which file a page showed before a reload, from what VS Code kept of that page. */
export function parseKeptExport(state: unknown): KeptExport | undefined {
  if (!isRecord(state) || !isRecord(state.exported)) return undefined;
  const { file, uri } = state.exported;
  if (typeof file !== 'string' || !(uri === undefined || typeof uri === 'string')) return undefined;
  return { file, uri };
}

function parseQuestion(value: unknown): PlayQuestion | undefined {
  if (!isRecord(value)) return undefined;
  const { mode, query, tool, scope } = value;
  if (!isKey(PLAY_MODES, mode) || !isKey(PLAY_SCOPES, scope) || typeof query !== 'string' || query.length > MAX_QUERY)
    return undefined;
  if (mode === 'query') return { mode, query, scope };
  return typeof tool === 'string' ? { mode, query, tool, scope } : undefined;
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

function isKey<Key extends string>(table: { readonly [key in Key]: true }, value: unknown): value is Key {
  return typeof value === 'string' && Object.hasOwn(table, value);
}
