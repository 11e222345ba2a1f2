import Anthropic from '@anthropic-ai/sdk';
import { withoutVariables } from '../withoutVariables';

/**
 * Creates the service's own client. It has a file of its own, which is loaded when a question first needs it. Only
 * values cross its border; its classes are recognized by name.
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
        // Retries are made where they can be reported to the user (`retry.ts`).
        maxRetries: 0,
        // It would write unreadable data to the console.
        logLevel: 'off',
        // Otherwise requests would be visible to anyone who collects traces in this process, such as another extension.
        openTelemetry: { traces: false, propagation: false },
        fetch: options.fetch,
      }),
  );
}
