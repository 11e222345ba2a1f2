import { ModelError } from '../core/ports';
import type { Service } from '../core/settings/modelServices';
import { boundedResponse, withBody } from '../core/util/boundedResponse';
import { l10n } from '../core/util/l10n';
import { withinOrigin } from '../core/util/withinOrigin';
import type { ModelAccess } from './modelAccess';
import { notSilent } from './untilSilent';

/**
 * Creates the `fetch` for all requests to a service. Requests contain the key and the user's question, so only the
 * configured origin gets them. A reply that stays silent for too long fails. Any bytes end the silence, including the
 * pings that Claude sends while it thinks.
 * @throws ModelError if the service redirects to another origin
 */
export function serviceFetch(
  service: Service,
  { name, fetch: fetcher = fetch }: Pick<ModelAccess, 'name' | 'fetch'>,
): typeof fetch {
  const own = withinOrigin(
    fetcher,
    (problem) =>
      new ModelError(
        l10n.t(
          '{0} Your key and your questions aren’t sent there. To use {1} at this address, set {2}.',
          problem,
          service.name,
          service.setting,
        ),
        { unanswered: true },
      ),
  );
  return async (input, init) => {
    const sent = typeof init?.body === 'string' ? { ...init, body: withoutHalves(init.body) } : init;
    const tooLong = () =>
      new ModelError(l10n.t('{0} sent a message of more than 64 MB, so Tool Search stopped the answer.', name));
    const bounded = boundedResponse(await own(input, sent), tooLong);
    return withBody(bounded, (body) => async () => (await notSilent(body.read(), name)).value);
  };
}

/**
 * Removes halves of surrogate pairs. A result has one if it was cut inside a pair. Services refuse them ("no low
 * surrogate in string") in every later request of the conversation. In JSON only a half is written as an escape, never
 * a whole pair.
 */
function withoutHalves(json: string): string {
  return json.includes('\\ud')
    ? json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (it) => (it.startsWith('\\ud') ? '\\ufffd' : it))
    : json;
}
