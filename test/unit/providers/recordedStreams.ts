import { join } from 'node:path';
import type { ModelEvent } from '../../../src/core/ports';
import { anthropicReplay } from '../../replay/anthropicReplay';
import { openaiReplay } from '../../replay/openaiReplay';
import { type Body, readRecording } from '../../replay/recording';
import { readResponses } from '../../replay/responses';
import type { ReplayWire } from '../../replay/wire';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

export interface Streamed {
  readonly asked: Body;
  readonly body: string;
}

const recorded = (file: string): Streamed[] =>
  readRecording(join(FIXTURES, 'wire', file)).flatMap(({ request, response }) =>
    typeof response.body === 'string' ? [{ asked: request.body, body: response.body }] : [],
  );
const code = (): Streamed[] =>
  (readResponses(join(FIXTURES, 'responses/anthropicCode.chunks.txt'))?.responses ?? []).map(({ body }) => ({
    asked: {
      model: 'claude-sonnet-4-6',
      tools: [{ name: 'roll', allowed_callers: ['code_execution_20260120'], input_schema: {} }],
    },
    body: String(body),
  }));
/** Recorded streams of a service's search, calls, thinking, code, and words in several scripts. */
export const WIRES: readonly [string, ReplayWire, readonly Streamed[]][] = [
  ['Claude', anthropicReplay, [...recorded('anthropic.json'), ...code()]],
  ['GPT', openaiReplay, recorded('openai.json')],
];

/** The events that the adapter makes of a stream, with all words in one, and its error. */
export async function read(wire: ReplayWire, { asked }: Streamed, response: () => Response) {
  const port = wire.createPort(String(asked.model), async () => response());
  const events: ModelEvent[] = [];
  let text = '';
  let failure: string | undefined;
  try {
    const request = { ...wire.scene(asked), transcript: [{ kind: 'user' as const, text: 'Go on.' }] };
    for await (const event of port.send(request, new AbortController().signal)) {
      if (event.type === 'text') text += event.text;
      else events.push(event);
    }
  } catch (error) {
    failure = String(error);
  }
  return { events, text, failure };
}
