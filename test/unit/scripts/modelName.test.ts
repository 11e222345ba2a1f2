import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { offeredModel } from '../../../scripts/modelName.mjs';

describe('--model', () => {
  const offered = [
    'a/claude-sonnet-4-5-20250929',
    'a/claude-sonnet-4-5-20251105',
    'a/claude-sonnet-4-6',
    'o/gpt-5.4-2026-03-05',
  ];

  it.each([
    ['a/claude-sonnet-4-6', 'a/claude-sonnet-4-6'],
    ['a/claude-sonnet-4-5', 'a/claude-sonnet-4-5-20251105'],
    ['a/claude-sonnet-4-5-20250929', 'a/claude-sonnet-4-5-20250929'],
    ['o/gpt-5.4', 'o/gpt-5.4-2026-03-05'],
    ['a/claude-sonnet', undefined],
    ['b/claude-sonnet-4-5', undefined],
  ])('%s means %s', (name, model) => expect(offeredModel(name, offered)).toBe(model));

  it('that nobody offers is an error at once', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/start.mjs', '--ask', 'hi', '--model', 'nosuch/x'],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toMatch(/There is no model nosuch\/x here\. There is toolsearch\/search-only/);
    expect(status).not.toBe(0);
  });
});
