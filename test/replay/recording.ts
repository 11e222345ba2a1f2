import { readFileSync } from 'node:fs';
import type { Json } from '../../src/core/catalog/tool';
import { isObject } from '../../src/core/util/objects';

/** One recorded request and the service's answer. */
export interface Interaction {
  readonly request: { readonly method: string; readonly url: string; readonly body: Body };
  readonly response: { readonly status: number; readonly contentType: string; readonly body: Json };
}

/** A request's body, of either service. */
export type Body = { readonly [key: string]: Json };

/** An error in a recording, in words for the user. */
export class RecordingError extends Error {
  readonly expected = true;
}

/**
 * Reads a file of recorded exchanges: `{"interactions": [{"request", "response"}]}`, with bodies as JSON or as the text
 * of a stream.
 */
export function readRecording(file: string): readonly Interaction[] {
  let recording: unknown;
  try {
    recording = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new RecordingError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const interactions = isObject(recording) ? recording.interactions : undefined;
  if (!Array.isArray(interactions)) throw new RecordingError(`${file} holds no "interactions".`);
  return interactions.map((interaction: unknown, index) => {
    const { request, response } = isObject(interaction) ? interaction : {};
    if (!isObject(request) || !isObject(response))
      throw new RecordingError(`${file}: interaction ${index + 1} has no request or response.`);
    const body = typeof request.body === 'string' ? parse(request.body) : request.body;
    return {
      request: {
        method: String(request.method ?? 'POST'),
        url: String(request.url),
        body: isObject(body) ? (body as Body) : {},
      },
      response: {
        status: Number(response.status ?? 200),
        contentType: String(response.contentType ?? 'application/json'),
        body: (response.body ?? null) as Json,
      },
    };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
