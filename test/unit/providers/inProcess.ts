import { createAnthropic } from '../../standin/anthropic.mjs';
import { createPromptCache } from '../../standin/cache.mjs';
import { createOpenai } from '../../standin/openai.mjs';
import { type Event, streamed } from './wires';

/** A request to a service, and its answer. */
export interface Served {
  // biome-ignore lint/suspicious/noExplicitAny: a request's body, looked into by tests.
  readonly body: any;
  readonly error?: string;
  /** Number of blocks of thinking that the service left out. */
  readonly dropped: number;
  /** The service's name for the part of the request that caused its cache miss. */
  readonly miss?: string;
}

/** Runs both stand-ins in this process, without a port: `fetch` asks them, `served` holds the requests for replies. */
export function inProcess(faults: ReadonlySet<string> = new Set()): {
  readonly fetch: typeof fetch;
  readonly served: Served[];
} {
  const services = {
    anthropic: createAnthropic(createPromptCache(() => 0)),
    openai: createOpenai(createPromptCache(() => 0)),
  };
  const served: Served[] = [];
  const ask: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    const body = JSON.parse(String(init?.body));
    const betas = (new Headers(init?.headers).get('anthropic-beta') ?? '').split(',').filter(Boolean);
    if (path.endsWith('/count_tokens')) return Response.json(services.anthropic.count(body, faults).json);
    if (path.endsWith('/input_tokens')) return Response.json(services.openai.count(body, faults).json);
    const reply = path.includes('/messages')
      ? services.anthropic.message(body, faults, betas)
      : services.openai.response(body, faults);
    const events: readonly Event[] | undefined = reply.events;
    const miss = events?.map(missIn).find((reason) => reason !== undefined);
    const transformed = events?.map(({ message }) => (message as Reported | undefined)?.input_transformations ?? []);
    served.push({
      body,
      dropped: transformed?.flat().length ?? 0,
      ...(miss === undefined ? {} : { miss }),
      ...(reply.status === 200 ? {} : { error: reply.json.error.message }),
    });
    return events ? streamed(events) : Response.json(reply.json, { status: reply.status });
  };
  return { fetch: ask, served };
}

interface Reported {
  readonly input_transformations?: readonly unknown[];
  readonly diagnostics?: { readonly cache_miss_reason: { readonly type: string } | null };
  readonly prompt_cache_diagnostics?: { readonly reason?: string };
}

function missIn({ message, response }: Event): string | undefined {
  const reason = (message as Reported | undefined)?.diagnostics?.cache_miss_reason?.type;
  return reason ?? (response as Reported | undefined)?.prompt_cache_diagnostics?.reason;
}
