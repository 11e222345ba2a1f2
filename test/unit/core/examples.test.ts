import { describe, expect, it } from 'vitest';
import { selectExamples } from '../../../src/core/examples';
import { DEFAULT_SETTINGS } from '../../../src/core/settings';

const examples = {
  'a/b': [
    { args: { n: 1 }, description: 'one', tags: ['basic'] },
    { args: { n: 2 }, description: 'two', tags: ['rare'] },
    { args: { n: 3 }, description: 'three' },
  ],
};

describe('selectExamples', () => {
  it('keeps the first so many', () => {
    const selected = selectExamples({ ...DEFAULT_SETTINGS, examples, examplesMaxPerTool: 2 });
    expect(selected.get('a/b')?.map((each) => each.args)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('keeps those with a wanted tag', () => {
    const selected = selectExamples({ ...DEFAULT_SETTINGS, examples, examplesTags: ['rare', 'other'] });
    expect(selected.get('a/b')?.map((each) => each.args)).toEqual([{ n: 2 }]);
    expect(selectExamples({ ...DEFAULT_SETTINGS, examples, examplesTags: ['none'] }).size).toBe(0);
  });

  it('leaves descriptions out where they are not wanted', () => {
    const selected = selectExamples({ ...DEFAULT_SETTINGS, examples, examplesIncludeDescriptions: false });
    expect(selected.get('a/b')?.every((each) => each.description === undefined)).toBe(true);
  });
});
