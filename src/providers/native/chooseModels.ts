import type { Service } from '../../core/settings/services';
import { nativeSearch, tableCapability } from '../capabilities';
import type { ListedModel } from './listModels';

/** A model as the picker offers it. */
export interface OfferedModel {
  /** Unique among those of its service. */
  readonly id: string;
  readonly name: string;
  /** Tokens. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
}

/** What is offered where a service (a gateway, say) lists no models: those that the SDKs of late 2026 name, without previews. */
const KNOWN: { readonly [service in Service['id']]: readonly string[] } = {
  anthropic: [
    'claude-fable-5-2',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-opus-5',
    'claude-sonnet-5',
    'claude-opus-4-6',
    'claude-opus-4-5',
    'claude-sonnet-4-6',
    'claude-sonnet-4-5',
    'claude-haiku-4-5',
  ],
  openai: [
    'gpt-6-astra',
    'gpt-6-sol',
    'gpt-6-luna',
    'gpt-5.6-sol',
    'gpt-5.6-terra',
    'gpt-5.6-luna',
    'gpt-5.4',
    'gpt-5.4-mini',
    'gpt-5.4-nano',
  ],
};

/** Models that a service lists beside those for a chat. */
const NO_CHAT = /audio|realtime|transcribe|tts|image|embedding|moderation|search/;
const DATED = /-20\d\d-\d\d-\d\d$/;

/** Of the models that a service lists, those that chat and have its tool search; a dated edition only where it is all there is. */
export function chooseModels(service: Service, listed: readonly ListedModel[] | undefined): readonly OfferedModel[] {
  const all = listed ?? KNOWN[service.id].map((id): ListedModel => ({ id }));
  const ids = new Set(all.map((model) => model.id));
  return all
    .filter(({ id }) => !NO_CHAT.test(id) && !(DATED.test(id) && ids.has(id.replace(DATED, ''))))
    .flatMap(({ id, name, maxInputTokens, maxOutputTokens }): OfferedModel[] => {
      const capability = tableCapability(service.id, id);
      if (!nativeSearch(capability)) return [];
      return [
        {
          id,
          name: name ?? readableName(id),
          maxInputTokens: maxInputTokens ?? capability.maxInputTokens,
          maxOutputTokens: maxOutputTokens ?? capability.maxOutputTokens,
        },
      ];
    });
}

/** `claude-sonnet-4-5` → Claude Sonnet 4.5, `gpt-5.4-mini` → GPT-5.4 mini. */
function readableName(id: string): string {
  const plain = id.slice(id.lastIndexOf('/') + 1);
  if (/^gpt-/.test(plain)) return plain.replace(/^gpt-/, 'GPT-').replace(/(?<=\d)-(?=[a-z])/g, ' ');
  return plain
    .replace(/(?<=\d)-(?=\d\b)/g, '.')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
