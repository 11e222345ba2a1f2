import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { iconsOf } from '../../../scripts/icons.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'icons-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
