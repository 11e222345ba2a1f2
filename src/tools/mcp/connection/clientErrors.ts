// What an error of the MCP SDK means, and its words for the user and the model.

import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { cut } from '../../../core/util/cut';
import { l10n } from '../../../core/util/l10n';
import { messageOf } from '../../../core/util/messageOf';
import { asObject, isObject } from '../../../core/util/objects';
import { oneLine } from '../../../core/util/plainText';
import { withoutErrorCode } from '../../callOutcome';
import { StreamCut } from '../transport/httpRequests';
import { errorWords } from '../transport/serverError';
import { NotSent } from '../transport/stdioTransport';
import type { ConnectOptions } from './connection';

export function hasAuthorization({ target }: ConnectOptions): boolean {
  return target.kind === 'http' && Object.keys(target.headers).some((name) => name.toLowerCase() === 'authorization');
}

/** Whether the request for revisions failed in a way that doesn't show how to connect. */
export function isUndecided(cause: unknown): boolean {
  return cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed;
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  if (error instanceof SseError) return error.code;
  const status = error instanceof SdkError && isObject(error.data) ? error.data.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

export function isRefusal(cause: unknown): boolean {
  return revisionsIn(cause) === undefined && [400, 404, 405, 406, 415, 501].includes(statusOf(cause) ?? 0);
}

/**
 * Whether a request certainly reached no server that knows this session. The request can be repeated after a new
 * connection. A lost connection is different, since the server may have read the request: see {@link isCutOff}.
 */
export function isGone(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 404;
  return error instanceof NotSent || causeCode(error) === 'ECONNREFUSED';
}

/** Whether the connection was lost after the request was sent. The server may have run the call. */
function isCutOff(error: unknown): boolean {
  return error instanceof StreamCut || ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(String(causeCode(error)));
}

/** Statuses with which a gateway reports that the server got the request but didn't answer. */
const GATEWAY_ERRORS = new Set([502, 504]);

function causeCode(error: unknown): unknown {
  return error instanceof Error ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
}

export function startProblem(error: unknown, options: ConnectOptions): string {
  const revisions = revisionsIn(error);
  if (revisions !== undefined)
    return l10n.t('It speaks no revision of MCP that Tool Search knows, but {0}.', revisions);
  if (isTimeout(error)) return l10n.t('It did not answer within {0} seconds.', options.timeoutMs / 1000);
  if (isUnauthorized(error)) return signInProblem(options);
  return l10n.t('It did not start: {0}', words(error));
}

/** The error code of a server that supports none of the client's protocol revisions. */
const UNSUPPORTED_REVISION = -32022;
/** In characters. */
const MAX_REVISIONS = 200;

/** Returns the protocol revisions that a server supports if it refuses ours; undefined for other errors. */
function revisionsIn(error: unknown): string | undefined {
  const body = error instanceof SdkHttpError ? asObject(asObject(error.data)?.text) : undefined;
  const { code, data } = asObject(error instanceof ProtocolError ? error : body?.error) ?? {};
  const supported = asObject(data)?.supported;
  if (code !== UNSUPPORTED_REVISION || !Array.isArray(supported)) return undefined;
  return cut(oneLine(supported.map(String).join(', ')), MAX_REVISIONS);
}

/**
 * Returns how the connection was lost before the answer; undefined if the error is the server's own answer.
 * @param isClosed whether the connection is closed; a server may also send the SDK's code for a closed connection as an
 * error of its own
 */
export function brokenConnection(error: unknown, isClosed: boolean): string | undefined {
  if (isClosed && error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
    return 'its server stopped';
  if (error instanceof SdkHttpError && GATEWAY_ERRORS.has(error.status))
    return `a gateway before its server said ${error.status}`;
  return isCutOff(error) ? 'the connection to its server broke' : undefined;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

export function signInProblem(options: ConnectOptions): string {
  return hasAuthorization(options)
    ? l10n.t(
        'It refuses the Authorization that its "headers" in {0} give. Put a valid one there; Forget MCP Inputs lets you answer again.',
        options.file,
      )
    : l10n.t(
        'It wants a sign-in, and {0} gives it none. Add {1} to it there and "token" to "inputs".',
        options.file,
        `"headers": {"Authorization": "Bearer \${input:token}"}`,
      );
}

export function isUnauthorized(error: unknown): boolean {
  if (error instanceof InsufficientScopeError || error instanceof UnauthorizedError) return true;
  const status = statusOf(error);
  return status === 401 || status === 403;
}

/** Returns an error's message. The message `fetch failed` is replaced by the message of its cause. */
export function words(error: unknown): string {
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError'))
    return "The server's answer isn't valid MCP.";
  if (error instanceof ProtocolError) return errorWords(withoutErrorCode(error.message), error.code, error.data);
  const cause =
    error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message || error.cause.name})` : '';
  return `${messageOf(error)}${cause}`;
}
