import type { LedgerEvent, LoggedHit } from './events';

/**
 * Returns an event for an export without contents: its prompts, queries, arguments, results and messages are removed.
 * The rest stays: the model, the tools that were found and called, outcomes, times and costs.
 */
export function withoutContents(event: LedgerEvent): LedgerEvent {
  switch (event.type) {
    case 'turnStarted':
      return { ...event, prompt: '' };
    case 'searched':
      // The server is removed too, since the model may have made up its name.
      return {
        ...event,
        query: '',
        server: undefined,
        note: undefined,
        hits: event.hits.map(withoutTerms),
        below: event.below.map(withoutTerms),
      };
    case 'called':
      // If the tool is unknown, its name was made up by the model and is removed.
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
      return event;
  }
}

/** Returns a hit without the matched terms, which are words of the query. */
function withoutTerms(hit: LoggedHit): LoggedHit {
  return { ...hit, terms: [] };
}
