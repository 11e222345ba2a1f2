import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';

const ROOT = join(import.meta.dirname, '../..');
const { chatAgents, chatSkills, languageModelTools } = manifest.contributes;
const files = [...chatAgents, ...chatSkills].map(({ path }) => path);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the agent and the skill', () => {
  it.each(files)('%s is packaged, and begins with its name and what it is for', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
    expect(read('.vscodeignore')).toContain('!chat/**');
    expect(read(path)).toMatch(/^---\nname: .+\ndescription: .+\n/);
  });

  it.each(files)('%s names only tools of ours that there are', (path) => {
    const text = read(path);
    const names = new Set(languageModelTools.map(({ name }) => name));
    const references = new Set(
      languageModelTools.map(({ toolReferenceName }) => `tool-search.tool-search/${toolReferenceName}`),
    );
    for (const [name] of text.matchAll(/toolsearch_\w+/g)) expect(names).toContain(name);
    for (const [reference] of text.matchAll(/tool-search\.tool-search\/\w+/g)) expect(references).toContain(reference);
  });

  it('a skill is called as its folder', () => {
    for (const { path } of chatSkills) expect(read(path)).toContain(`\nname: ${basename(dirname(path))}\n`);
  });
});
