import { ModelError } from '../../core/ports';
import { SERVICES, type ServiceId } from '../../core/settings/modelServices';
import { l10n } from '../../core/util/l10n';
import { messageOf } from '../../core/util/messageOf';
import { isObject, parseJson } from '../../core/util/objects';
import type { ModelAccess } from '../modelAccess';
import { serviceFetch } from '../serviceFetch';

/** A model as its service lists it. Limits are undefined if the service doesn't name them. */
export interface ListedModel {
  readonly id: string;
  readonly name?: string;
  readonly maxInputTokens?: number;
  readonly maxOutputTokens?: number;
  /** The date on which the service switches the model off, such as `2026-11-30`. */
  readonly retires?: string;
}

export type ModelList =
  | { readonly ok: true; readonly models: readonly ListedModel[] }
  | {
      readonly ok: false;
      /** `key` if the service refused the key, `other` for any other failure. */
      readonly reason: 'key' | 'other';
      /** A message for the user. It never contains the key. */
      readonly message: string;
    };

/** The maximum number of models on one page of the list. */
const PAGE = 1000;
const DATE_CHARS = '2026-11-30'.length;

/** Requests the list of a service's models. Uses only `fetch`, so that no SDK is loaded. Never rejects. */
export async function listModels(
  service: ServiceId,
  access: Pick<ModelAccess, 'apiKey' | 'baseUrl'>,
  signal: AbortSignal,
): Promise<ModelList> {
  const served = SERVICES[service];
  const { name, setting } = served;
  const failed = (message: string, reason: 'key' | 'other' = 'other'): ModelList => ({ ok: false, reason, message });
  try {
    const options = { headers: headers(service, access.apiKey), signal };
    const response = await serviceFetch(served, { name })(address(service, access.baseUrl), options);
    if (response.status === 401 || response.status === 403)
      return failed(l10n.t('{0} refused the key (HTTP {1}).', name, response.status), 'key');
    const text = await response.text();
    if (!response.ok) return failed(l10n.t('{0} answered with HTTP {1}.', name, response.status));
    const models = parseModels(text);
    return models
      ? { ok: true, models }
      : failed(l10n.t('{0} doesn’t answer as {1} does. Check {2}.', access.baseUrl, name, setting));
  } catch (error) {
    if (error instanceof ModelError) return failed(error.message);
    if (signal.aborted) return failed(l10n.t('{0} took too long to answer.', name));
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return failed(l10n.t('{0} can’t be reached: {1}', access.baseUrl, messageOf(cause)));
  }
}

function address(service: ServiceId, baseUrl: string): string {
  return service === 'anthropic' ? `${baseUrl}/v1/models?limit=${PAGE}` : `${baseUrl}/models`;
}

function headers(service: ServiceId, apiKey: string): { readonly [name: string]: string } {
  return service === 'anthropic'
    ? { 'x-api-key': apiKey, 'anthropic-version': '2026-10-21' }
    : { authorization: `Bearer ${apiKey}` };
}

/** Reads a list of models. Returns undefined for any other text, such as a gateway's login page. */
function parseModels(text: string): readonly ListedModel[] | undefined {
  const body = parseJson(text);
  if (!isObject(body) || !Array.isArray(body.data)) return undefined;
  return body.data.flatMap((item: unknown): ListedModel[] => {
    if (!isObject(item) || typeof item.id !== 'string' || item.id === '') return [];
    return [
      {
        id: item.id,
        ...(typeof item.display_name === 'string' ? { name: item.display_name } : {}),
        ...(isCount(item.max_input_tokens) ? { maxInputTokens: item.max_input_tokens } : {}),
        ...(isCount(item.max_tokens) ? { maxOutputTokens: item.max_tokens } : {}),
        ...(typeof item.retires_at === 'string' ? { retires: item.retires_at.slice(0, DATE_CHARS) } : {}),
      },
    ];
  });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
