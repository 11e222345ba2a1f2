import OpenAI from 'openai';
import { withoutVariables } from '../withoutVariables';

/**
 * Creates the client of OpenAI's SDK. This file is a separate bundle and is loaded when a GPT model is first called.
 */
export function openaiClient(options: {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}): OpenAI {
  return withoutVariables(
    ['OPENAI_CUSTOM_HEADERS'],
    () =>
      new OpenAI({
        apiKey: options.apiKey,
        baseURL: options.baseUrl,
        // The caller retries instead and reports it to the user (`retry.ts`).
        maxRetries: 0,
        // Otherwise the SDK would read these values from the environment, which must have no effect here.
        adminAPIKey: null,
        organization: null,
        project: null,
        // The SDK would write unreadable data to the console.
        logLevel: 'off',
        fetch: options.fetch,
      }),
  );
}
