import OpenAI from 'openai';

/** How long the SDK tries again before it gives up, by itself and by the service's `retry-after`. */
const RETRIES = 2;

/** The SDK, in a file of its own in the package: it is read when a GPT model is first asked. */
export function openaiClient(options: { readonly apiKey: string; readonly baseUrl: string; readonly fetch?: typeof fetch }): OpenAI {
  return new OpenAI({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    maxRetries: RETRIES,
    // Else the SDK would read these from the environment, which has nothing to say here.
    organization: null,
    project: null,
    // It would write what it can't parse to the console.
    logLevel: 'off',
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
}
