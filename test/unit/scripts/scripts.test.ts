import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { iconsOf } from '../../../scripts/icons.mjs';
import { offeredModel } from '../../../scripts/modelName.mjs';
import { makeFolder } from '../folder';

const folder = makeFolder(afterAll);

async function madeFor(code: string) {
  const file = path.join(folder, 'code.js');
  writeFileSync(file, code);
  const files = new Map(await iconsOf(file));
  return { css: String(files.get('codicon.css')), font: files.get('codicon.ttf') ?? '' };
}

it('icons have a rule and a glyph if the code names them', async () => {
  const one = await madeFor('draw("chevron-right")');
  const two = await madeFor("draw('chevron-right', `beaker`)");
  expect(one.css).toMatch(/\.codicon-chevron-right:before/);
  expect(one.css).not.toMatch(/\.codicon-beaker:before/);
  expect(two.css).toMatch(/\.codicon-beaker:before/);
  expect(two.font.length).toBeGreaterThan(one.font.length);
});

it('icons keep the rules that make them turn', async () => {
  expect((await madeFor('draw("loading")')).css).toContain('codicon-modifier-spin');
});

it('icons fail if the code names none', async () => {
  await expect(madeFor('draw("nothing-of-this-name")')).rejects.toThrow('names no icon');
});

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
      { encoding: 'utf8' },
    );
    expect(stderr).toMatch(/There is no model nosuch\/x here\. There is toolsearch\/search-only/);
    expect(status).not.toBe(0);
  });
});
