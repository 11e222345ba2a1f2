import OpenAI from 'openai';
import { withoutVariables } from '../withoutVariables';

/** The SDK, in a file of its own in the package: it is read when a GPT model is first asked. */
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
        // What is asked again, and when, is decided where the user can be told (`asking.ts`).
        maxRetries: 0,
        // Else the SDK would read these from the environment, which has nothing to say here.
        adminAPIKey: null,
        organization: null,
        project: null,
        // It would write what it can't parse to the console.
        logLevel: 'off',
        fetch: options.fetch,
      }),
  );
}
