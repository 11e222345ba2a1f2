import { boundedResponse } from '../../../core/util/boundedResponse';
import { l10n } from '../../../core/util/l10n';
import { isLoopback, isSafeWebAddress } from '../../../core/util/loopback';
import { withinOrigin } from '../../../core/util/withinOrigin';

const REVOKE_MS = 5_000;

/**
 * Returns the `fetch` for a service that issues tokens: limited in size, without redirects to other origins, and
 * encrypted unless the service is on this machine.
 * @param from the address that names the service; if it is another machine's, the service isn't on this one
 */
export const fetchIssuer = (from: URL) =>
  withinOrigin(
    async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const { host } = url;
      if (!isSafeWebAddress(url))
        throw new Error(l10n.t('The sign-in would go to {0} unencrypted, so nothing is sent there.', host));
      if (isLoopback(url) && !isLoopback(from))
        throw new Error(l10n.t('{0} names {1} for its sign-in, which is this machine.', from.host, host));
      return boundedResponse(await fetch(input, init), () => new Error(l10n.t('{0} sent more than 64 MB.', host)));
    },
    (problem) => new Error(l10n.t('{0} Nothing is sent there.', problem)),
  );

/** Revokes a token (RFC 7009). Resolves with false if that fails; the token then remains valid until it expires. */
export async function revokeToken(
  issuer: string,
  revocationUrl: string,
  token: string,
  clientId: string,
): Promise<boolean> {
  try {
    const response = await fetchIssuer(new URL(issuer))(revocationUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, client_id: clientId }).toString(),
      signal: AbortSignal.timeout(REVOKE_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
