import type { Settings } from './settings';

export type ServiceId = 'anthropic' | 'openai';

/** A provider that Tool Search calls directly, with the user's own key. */
export interface Service {
  readonly id: ServiceId;
  /** The provider's name for people. */
  readonly name: string;
  /** A name for the provider's models. */
  readonly models: string;
  /** The vendor of the provider's models in VS Code, as in package.json. */
  readonly vendor: string;
  /** The environment variable that may contain the user's key. */
  readonly variable: string;
  /** The setting with the service's address. */
  readonly setting: 'toolsearch.anthropic.baseUrl' | 'toolsearch.openai.baseUrl';
}

export const SERVICES: { readonly [id in ServiceId]: Service } = {
  anthropic: {
    id: 'anthropic',
    name: 'Anthropic',
    models: 'Claude',
    vendor: 'toolsearch-anthropic',
    variable: 'ANTHROPIC_API_KEY',
    setting: 'toolsearch.anthropic.baseUrl',
  },
  openai: {
    id: 'openai',
    name: 'OpenAI',
    models: 'GPT',
    vendor: 'toolsearch-openai',
    variable: 'OPENAI_API_KEY',
    setting: 'toolsearch.openai.baseUrl',
  },
};

/** Returns a service's address; undefined if the setting is invalid. */
export function baseUrlOf(
  service: ServiceId,
  settings: Pick<Settings, 'anthropicBaseUrl' | 'openaiBaseUrl'>,
): string | undefined {
  return service === 'anthropic' ? settings.anthropicBaseUrl : settings.openaiBaseUrl;
}
