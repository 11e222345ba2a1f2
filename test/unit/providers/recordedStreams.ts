import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../src/core/catalog/tool';
import type { ModelEvent } from '../../../src/core/ports';
import { anthropicReplay } from '../../replay/anthropicReplay';
import { openaiReplay } from '../../replay/openaiReplay';
import { type Body, readRecording } from '../../replay/recording';
import type { ReplayWire } from '../../replay/wire';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const SHARED = join(import.meta.dirname, '../../../../shared/wire');

export interface Streamed {
  readonly asked: Body;
  readonly body: string;
}

const recorded = (file: string): Streamed[] =>
  readRecording(join(FIXTURES, 'wire', file)).flatMap(({ request, response }) =>
    typeof response.body === 'string' ? [{ asked: request.body, body: response.body }] : [],
  );

type Line = { readonly type: string; readonly response?: Body; readonly [key: string]: Json | undefined };

/** The streams of a file of events, one a line. GPT repeats what it was asked, for Claude tools are made up. */
function streamsOf(file: string): Streamed[] {
  const lines: readonly Line[] = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : JSON.parse(line)));
  const starts = lines.flatMap(({ type }, at) => (/^(message_start|response\.created)$/.test(type) ? [at] : []));
  return starts.map((start, index) => {
    const events = lines.slice(start, starts[index + 1]);
    return {
      asked: events[0]?.response ?? {
        model: 'claude-sonnet-4-6',
        tools: [{ name: 'roll', allowed_callers: ['code_execution_20260120'], input_schema: {} }],
      },
      body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    };
  });
}

/** The streams of the real services' replies, which may not be published. */
export const SHARED_STREAMS: readonly Streamed[] = ['chunks', 'code/chunks']
  .map((folder) => join(SHARED, folder))
  .flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder).flatMap((file) => (file.endsWith('.txt') ? [join(folder, file)] : []))
      : [],
  )
  .flatMap(streamsOf);

/** Recorded streams of a service's search, calls, thinking, code, and words in several scripts. */
export const WIRES: readonly [string, ReplayWire, readonly Streamed[]][] = [
  [
    'Claude',
    anthropicReplay,
    [...recorded('anthropic.json'), ...streamsOf(join(FIXTURES, 'responses/anthropicCode.chunks.txt'))],
  ],
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
