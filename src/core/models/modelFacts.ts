// What is known of the providers' models: their features, limits, prices and prompt caches.

import { SERVICES, type ServiceId } from '../settings/modelServices';
import { MODELS, type ModelRow } from './modelTable';
import type { ModelFeatures, ModelPrices } from './types';

interface ModelFacts {
  readonly features: ModelFeatures;
  /** Undefined if nothing is known of the model: its figures are tokens alone. */
  readonly prices: ModelPrices | undefined;
}

/**
 * Returns what is known of a model: the table's first row whose words are all in its name and whose version isn't above
 * its own. A model that is newer or has more words has the row's features and cache, but no list price.
 */
export function modelFacts(service: ServiceId, id: string): ModelFacts {
  const model = parseName(id);
  const [row, name] = ROWS[service].find((candidate) => applies(candidate[1], model)) as NamedRow;
  if (!row.prices || sameModel(name, model)) return row;
  const { usd: _usd, long: _long, ...cache } = row.prices;
  return { features: row.features, prices: cache };
}

/** Returns the prices of a model as VS Code or Tool Search names it; undefined if nothing is known about it. */
export function modelPrices({ vendor, id }: { readonly vendor: string; readonly id: string }): ModelPrices | undefined {
  const service = Object.values(SERVICES).find((each) => vendor.includes(each.id));
  return service && modelFacts(service.id, id).prices;
}

/** Returns the ids of the models to offer if a service, such as a gateway, doesn't list any. */
export function offeredModels(service: ServiceId): readonly string[] {
  return MODELS[service].filter(({ offered }) => offered).map(({ model }) => model);
}

interface ModelName {
  readonly words: readonly string[];
  /** Major and minor version; undefined if the name has none. */
  readonly version: readonly [major: number, minor: number] | undefined;
}

/**
 * Reads a model's name, without the date at its end: `claude-sonnet-4-5-20250929` → claude, sonnet, 4.5;
 * `anthropic/claude-opus-4.10` → claude, opus, 4.10; `gpt-5-2025-08-07` → gpt, 5.0.
 */
function parseName(id: string): ModelName {
  const name = id.toLowerCase().slice(id.lastIndexOf('/') + 1);
  const [, major, minor] = /(?<![\d.])(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(name) ?? [];
  return {
    words: name.match(/[a-z]+/g) ?? [],
    version: major === undefined ? undefined : [Number(major), Number(minor ?? 0)],
  };
}

type NamedRow = readonly [row: ModelRow, name: ModelName];

const named = (rows: readonly ModelRow[]) => rows.map((row): NamedRow => [row, parseName(row.model)]);
/** The last row of each service has no words and no version, so that a row applies to every model. */
const ROWS: { readonly [service in ServiceId]: readonly NamedRow[] } = {
  anthropic: named(MODELS.anthropic),
  openai: named(MODELS.openai),
};

function applies(row: ModelName, model: ModelName): boolean {
  if (!row.words.every((word) => model.words.includes(word))) return false;
  if (!row.version || !model.version) return !row.version;
  const [major, minor] = row.version;
  return model.version[0] > major || (model.version[0] === major && model.version[1] >= minor);
}

function sameModel(row: ModelName, model: ModelName): boolean {
  return row.words.length === model.words.length && row.version?.join('.') === model.version?.join('.');
}
