import { l10n } from '../util/l10n';
import { isSafeWebAddress } from '../util/loopback';
import { trimEndOf } from '../util/trim';

/** A service's address in its final form, or a sentence about the error in the user's setting. */
type BaseUrl =
  | { readonly ok: true; readonly url: string; readonly warning?: (name: string) => string }
  | { readonly ok: false; readonly expected: string };

/**
 * Reads a base URL. A key is sent to this address with every request, so a doubtful address is refused instead of
 * repaired. Only a missing or superfluous `/v1` is corrected: the services' own SDKs don't agree on who adds it.
 * @param path the end of the service's base URL: `/v1`, or nothing
 * @param insecure whether the user allowed sending a key over plain HTTP to another machine
 */
export function parseBaseUrl(value: string, path: '/v1' | '', { insecure }: { readonly insecure: boolean }): BaseUrl {
  const refuse = (expected: string): BaseUrl => ({ ok: false, expected });
  if (!URL.canParse(value.trim())) return refuse(l10n.t('a URL such as {0}', 'https://gateway.example.com'));
  const url = new URL(value.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse(l10n.t('a URL that begins with https:// or http://'));
  if (url.username || url.password)
    return refuse(l10n.t('a URL without a user or password (keys belong in “Tool Search: Manage API Keys”)'));
  if (url.search || url.hash) return refuse(l10n.t('a URL without ? and #'));
  const plain = !isSafeWebAddress(url);
  if (plain && !insecure)
    return refuse(
      l10n.t(
        'an address with https://, because http:// sends your key and your questions unencrypted (toolsearch.allowInsecureBaseUrl allows that)',
      ),
    );
  const given = trimEndOf(url.pathname, '/');
  const ending = path === '/v1' ? given || '/v1' : given.replace(/\/v1$/, '');
  return {
    ok: true,
    url: `${url.origin}${ending}`,
    ...(plain
      ? {
          warning: (name: string) =>
            l10n.t(
              '{0} sends your key and your questions to {1} unencrypted. Use https:// if it is available there.',
              name,
              url.host,
            ),
        }
      : {}),
  };
}
