import { modelFacts, offeredModels } from '../../core/models/modelFacts';
import type { Service } from '../../core/settings/modelServices';
import { nativeSearch } from '../capabilities';
import type { ListedModel } from './listModels';

/** A model in the model picker. */
export type OfferedModel = Required<Omit<ListedModel, 'retires'>> & Pick<ListedModel, 'retires'>;

const NO_CHAT = /audio|realtime|transcribe|tts|image|embedding|moderation|search/;
const DATED = /-20\d\d-\d\d-\d\d$/;

/**
 * Returns the models for the model picker: the listed ones that can chat and have the service's own tool search. A
 * model with a date in its id is included only if no undated one exists.
 */
export function chooseModels(service: Service, listed: readonly ListedModel[] | undefined): readonly OfferedModel[] {
  const all = listed ?? offeredModels(service.id).map((id): ListedModel => ({ id }));
  const ids = new Set(all.map((model) => model.id));
  return all
    .filter(({ id }) => !NO_CHAT.test(id) && !(DATED.test(id) && ids.has(id.replace(DATED, ''))))
    .flatMap((model): OfferedModel[] => {
      const { features } = modelFacts(service.id, model.id);
      const { maxInputTokens, maxOutputTokens } = features;
      return nativeSearch(features)
        ? [{ name: readableName(model.id), maxInputTokens, maxOutputTokens, ...model }]
        : [];
    });
}

/** Returns a readable name: `claude-sonnet-4-5` → Claude Sonnet 4.5, `gpt-5.4-mini` → GPT-5.4 mini. */
function readableName(id: string): string {
  const plain = id.slice(id.lastIndexOf('/') + 1);
  if (/^gpt-/.test(plain)) return plain.replace(/^gpt-/, 'GPT-').replace(/(?<=\d)-(?=[a-z])/g, ' ');
  return plain
    .replace(/(?<=\d)-(?=\d\b)/g, '.')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
