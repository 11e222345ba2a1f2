import Anthropic from '@anthropic-ai/sdk';
import { withoutVariables } from '../withoutVariables';

/**
 * The service's own client. In a file of its own, which is read when a question first needs it. Only values cross its border:
 * its classes are told by their names.
 */
export function createClient(options: {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}): Anthropic {
  return withoutVariables(
    ['ANTHROPIC_CUSTOM_HEADERS'],
    () =>
      new Anthropic({
        apiKey: options.apiKey,
        baseURL: options.baseUrl,
        // What is asked again, and when, is decided where the user can be told (`asking.ts`).
        maxRetries: 0,
        // It would write what it can't parse to the console.
        logLevel: 'off',
        // Else what is asked would be told to whoever in this process collects traces, another extension say.
        openTelemetry: { traces: false, propagation: false },
        fetch: options.fetch,
      }),
  );
}
