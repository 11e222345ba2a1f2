import { cut } from './cut';
import { l10n } from './l10n';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The status codes of redirects that repeat a request with its body. Other redirects drop the body. */
const WITH_BODY = new Set([307, 308]);
/** The maximum number of redirects that are followed. A gateway needs one or two. */
const MAX_REDIRECTS = 5;
/** The maximum number of characters of a path in an error message. */
const MAX_PATH = 100;

/**
 * Returns a `fetch` whose requests never leave one origin, because they contain keys, questions or arguments. Redirects
 * within the origin are followed with the whole request.
 * @param refused makes the error for any other redirect from a sentence that names both origins
 */
export function withinOrigin(fetcher: typeof fetch, refused: (problem: string) => Error): typeof fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; ; redirects++) {
      const response = await fetcher(url.href, { ...init, redirect: 'manual' });
      if (!REDIRECTS.has(response.status) && response.type !== 'opaqueredirect') return response;
      response.body?.cancel().catch(() => {});
      const next = target(response, url);
      const isOwn = next?.origin === url.origin && !next.username && !next.password;
      const refuse = (to: string) => refused(l10n.t('{0} redirects to {1}.', url.origin, to));
      if (!next || !isOwn) throw refuse(next ? nameOf(next) : l10n.t('another address'));
      if (init?.body != null && !WITH_BODY.has(response.status))
        throw refuse(nameOf(next) + cut(next.pathname, MAX_PATH));
      if (redirects >= MAX_REDIRECTS) throw refuse(l10n.t('{0} again and again', nameOf(next)));
      url = next;
    }
  };
}

function target(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** Returns the name of a URL's origin. `data:` and `file:` URLs have none. */
function nameOf(url: URL): string {
  return url.origin === 'null' ? l10n.t('an address of {0}', url.protocol) : url.origin;
}
