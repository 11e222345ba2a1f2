import OpenAI from 'openai';
import { withoutVariables } from '../withoutVariables';

/**
 * Creates the SDK's client. It has a file of its own in the package, which is loaded when a GPT model is first called.
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
        // Retries are made where they can be reported to the user (`retry.ts`).
        maxRetries: 0,
        // Otherwise the SDK would read these from the environment, which must have no effect here.
        adminAPIKey: null,
        organization: null,
        project: null,
        // It would write unreadable data to the console.
        logLevel: 'off',
        fetch: options.fetch,
      }),
  );
}
