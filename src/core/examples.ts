import type { Settings } from './settings';
import type { ToolExample } from './tool';

/** The examples that the settings let through, by tool id: those with a wanted tag, at most so many each, with or without words. */
export function selectExamples(
  settings: Pick<Settings, 'examples' | 'examplesMaxPerTool' | 'examplesIncludeDescriptions' | 'examplesTags'>,
): ReadonlyMap<string, readonly ToolExample[]> {
  const wanted = new Set(settings.examplesTags);
  const selected = new Map<string, readonly ToolExample[]>();
  for (const [id, examples] of Object.entries(settings.examples)) {
    const kept = examples
      .filter((example) => wanted.size === 0 || example.tags?.some((tag) => wanted.has(tag)))
      .slice(0, settings.examplesMaxPerTool)
      .map((example) => (settings.examplesIncludeDescriptions ? example : { ...example, description: undefined }));
    if (kept.length > 0) selected.set(id, kept);
  }
  return selected;
}
