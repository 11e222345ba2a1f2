import { l10n } from '../../../core/util/l10n';
import { isSafeWebAddress } from '../../../core/util/loopback';
import { boundedResponse } from '../../../core/util/responseBody';
import { withinOrigin } from '../../../core/util/withinOrigin';

/** The maximum time for revoking a token, in milliseconds. */
const REVOKE_MS = 5_000;

/**
 * The `fetch` for a service that issues tokens: limited in size, without redirects to other origins, and encrypted
 * unless the service is on this machine.
 */
export const fetchIssuer = withinOrigin(
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { host } = url;
    if (!isSafeWebAddress(url))
      throw new Error(l10n.t('The sign-in would go to {0} unencrypted, so nothing is sent there.', host));
    return boundedResponse(await fetch(input, init), () => new Error(l10n.t('{0} sent more than 64 MB.', host)));
  },
  (problem) => new Error(l10n.t('{0} Nothing is sent there.', problem)),
);

/** Revokes a token (RFC 7009). Resolves with false if that fails; the token then remains valid until it expires. */
export async function revokeToken(revocationUrl: string, token: string, clientId: string): Promise<boolean> {
  try {
    const response = await fetchIssuer(revocationUrl, {
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
