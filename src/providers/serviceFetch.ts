import { ModelError } from '../core/ports';
import type { Service } from '../core/settings/modelServices';
import { boundedResponse, withBody } from '../core/util/boundedResponse';
import { l10n } from '../core/util/l10n';
import { withoutLoneSurrogates } from '../core/util/loneSurrogates';
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
    const sent = typeof init?.body === 'string' ? { ...init, body: withoutLoneSurrogates(init.body) } : init;
    const tooLong = () =>
      new ModelError(l10n.t('{0} sent a message of more than 64 MB, so Tool Search stopped the answer.', name));
    const bounded = boundedResponse(await own(input, sent), tooLong);
    return withBody(bounded, (body) => async () => (await notSilent(body.read(), name)).value);
  };
}
