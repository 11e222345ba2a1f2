import OpenAI from 'openai';
import type { ModelAccess } from '../modelAccess';
import { withoutEnvVariable } from '../withoutEnvVariable';

/** Creates the client of OpenAI's SDK. This file is a separate bundle, loaded when a GPT model is first called. */
export function createClient({ apiKey, baseUrl, fetch }: Required<Pick<ModelAccess, 'apiKey' | 'baseUrl' | 'fetch'>>) {
  return withoutEnvVariable(
    'OPENAI_CUSTOM_HEADERS',
    () =>
      new OpenAI({
        apiKey,
        baseURL: baseUrl,
        // The caller retries instead and reports it to the user (`retry.ts`).
        maxRetries: 0,
        // Otherwise the SDK would read these values from the environment, which must have no effect here.
        adminAPIKey: null,
        organization: null,
        project: null,
        // The SDK would write unreadable data to the console.
        logLevel: 'off',
        fetch,
      }),
  );
}
