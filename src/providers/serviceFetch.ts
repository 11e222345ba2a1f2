import { ModelError } from '../core/ports';
import type { Service } from '../core/settings/services';
import { boundedResponse, withBody } from '../core/util/responseBody';
import { withinOrigin } from '../core/util/withinOrigin';
import type { ModelAccess } from './access';
import { untilSilent } from './untilSilent';

/**
 * The one way to a service: for questions, counts, lists of models and tests of a key. What is sent there holds the key
 * and what the user asked, so it stays with the origin that the user named. A reply that falls silent is given up; bytes
 * are what counts as life, and so the pings do that Claude sends while it thinks: the connection and the service are there,
 * and the user can cancel.
 * @throws ModelError where the service redirects to somebody else
 */
export function serviceFetch({
  name,
  service,
  fetch: fetcher = fetch,
}: Pick<ModelAccess, 'name' | 'fetch'> & { readonly service: Service }): typeof fetch {
  const own = withinOrigin(
    fetcher,
    (problem) =>
      new ModelError(
        `${problem} Your key and your questions aren't sent there. If that is where ${service.name} is to be asked, set ${service.setting}.`,
        { unanswered: true },
      ),
  );
  return async (input, init) => {
    const sent = typeof init?.body === 'string' ? { ...init, body: withoutHalves(init.body) } : init;
    const tooLong = () => new ModelError(`${name} sent a message of more than 64 MB, so its answer is given up.`);
    return watched(boundedResponse(await own(input, sent), tooLong), name);
  };
}

/**
 * Half of a pair of surrogates, as a result that was cut somewhere holds it, is JSON to us and to no service ("no low surrogate
 * in string"): every later request of the conversation would be refused for it. JSON writes such a half, and no whole pair,
 * as an escape.
 */
function withoutHalves(json: string): string {
  return json.includes('\\ud')
    ? json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (it) => (it.startsWith('\\ud') ? '\\ufffd' : it))
    : json;
}

/** The response, whose body fails where nothing comes any more. */
function watched(response: Response, name: string): Response {
  return withBody(response, (body) => {
    const pieces = untilSilent(piecesOf(body), name);
    return async () => (await pieces.next()).value ?? undefined;
  });
}

async function* piecesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
