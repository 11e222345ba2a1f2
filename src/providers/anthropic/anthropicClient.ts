import Anthropic from '@anthropic-ai/sdk';
import type { ModelAccess } from '../modelAccess';
import { withoutEnvVariable } from '../withoutEnvVariable';

/**
 * Creates the client of Anthropic's SDK. This file is loaded when a question first needs the SDK. Only values leave the
 * file; other files recognize the SDK's classes by name.
 */
export function createClient({ apiKey, baseUrl, fetch }: Required<Pick<ModelAccess, 'apiKey' | 'baseUrl' | 'fetch'>>) {
  return withoutEnvVariable(
    'ANTHROPIC_CUSTOM_HEADERS',
    () =>
      new Anthropic({
        apiKey,
        baseURL: baseUrl,
        // The caller retries instead and reports it to the user (`retry.ts`).
        maxRetries: 0,
        // The SDK would write unreadable data to the console.
        logLevel: 'off',
        // Otherwise the SDK would pass its requests to any code in this process that collects traces, such as another
        // extension.
        openTelemetry: { traces: false, propagation: false },
        fetch,
      }),
  );
}
