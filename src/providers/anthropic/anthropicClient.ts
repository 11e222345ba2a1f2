import Anthropic from '@anthropic-ai/sdk';
import { withoutVariables } from '../withoutVariables';

/**
 * Creates the client of Anthropic's SDK. This file is loaded when a question first needs the SDK. Only values leave the
 * file; other files recognize the SDK's classes by name.
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
        // The caller retries instead and reports it to the user (`retry.ts`).
        maxRetries: 0,
        // The SDK would write unreadable data to the console.
        logLevel: 'off',
        // Otherwise the SDK would pass its requests to any code in this process that collects traces, such as another
        // extension.
        openTelemetry: { traces: false, propagation: false },
        fetch: options.fetch,
      }),
  );
}
