import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';

/**
 * The service's own client. In a file of its own, which is read when a question first needs it. Only values cross its border:
 * its classes are told by their names.
 */
export function createClient(options: ClientOptions): Anthropic {
  // What is asked again, and when, is decided where the user can be told (`asking.ts`).
  return new Anthropic({ maxRetries: 0, ...options });
}
