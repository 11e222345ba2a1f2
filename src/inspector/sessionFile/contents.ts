import type { ServerInfo } from '../../core/catalog/catalog';
import type { LedgerEvent, LoggedHit } from '../../core/ledger/ledger';
import type { FileTool } from './format';

/**
 * An event as it may leave this machine; without contents there is nothing that was said: no prompt, query,
 * argument, result or message. What remains is who was asked, what was found and called, how it ended, how long it
 * took and what it cost.
 */
export function exportedEvent(event: LedgerEvent, contents: boolean): LedgerEvent {
  if (contents) return event;
  switch (event.type) {
    case 'turnStarted':
      return { ...event, prompt: '' };
    case 'searched':
      // The server is one that the model named, whether there is one or not.
      return {
        ...event,
        query: '',
        server: undefined,
        note: undefined,
        hits: event.hits.map(withoutTerms),
        below: event.below.map(withoutTerms),
      };
    case 'called':
      // A name that is no tool's is the model's own words.
      return { ...event, tool: event.known ? event.tool : '', args: '', summary: '' };
    case 'callStarted':
      return { ...event, args: '' };
    case 'scriptStarted':
      return { ...event, title: '', code: '' };
    case 'scriptEnded':
      return { ...event, output: '', note: undefined };
    case 'warned':
      return { ...event, message: '' };
    case 'turnEnded':
      return { ...event, message: undefined };
    case 'roundStarted':
    case 'replanned':
    case 'roundEnded':
    case 'discovered':
    case 'prepared':
    case 'rated':
      return event;
  }
}

/** Matched terms are words of the query. */
function withoutTerms(hit: LoggedHit): LoggedHit {
  return { ...hit, terms: [] };
}

/** Examples are the user's own arguments. */
export function toolWithoutContents(tool: FileTool): FileTool {
  return { ...tool, examples: undefined };
}

/** A server's detail may be what it printed. */
export function serverWithoutContents(server: ServerInfo): ServerInfo {
  return { ...server, detail: undefined };
}
