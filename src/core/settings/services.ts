import type { Settings } from './settings';

export type ServiceId = 'anthropic' | 'openai';

/** A provider that is asked directly, with the user's own key. */
export interface Service {
  readonly id: ServiceId;
  /** The provider's name for people. */
  readonly name: string;
  /** The name of its models. */
  readonly models: string;
  /** The vendor of its models in VS Code, as in package.json. */
  readonly vendor: string;
  /** The environment variable that may contain a key. */
  readonly variable: string;
  /** The setting with its address. */
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

/** Returns a service's address; undefined if the setting can't be used. */
export function baseUrlOf(
  service: ServiceId,
  settings: Pick<Settings, 'anthropicBaseUrl' | 'openaiBaseUrl'>,
): string | undefined {
  return service === 'anthropic' ? settings.anthropicBaseUrl : settings.openaiBaseUrl;
}
