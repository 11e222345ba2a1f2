import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { BUILT_IN_STRATEGIES } from '../../src/core/search/types';
import { parseSettings } from '../../src/core/settings/parseSettings';
import { DEFAULT_SETTINGS, SETTING_KEYS, SETTINGS } from '../../src/core/settings/settings';
import { configuration, page, texts } from './settingsTexts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const matchFile = (text: string, file: string) => expect(text).toMatchFileSnapshot(join(ROOT, file));
const asFile = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

// `npx vitest run --project unit test/unit/manifest.test.ts -u` writes these files.
describe('files generated from the table of settings', () => {
  it('package.json has all settings in titled groups', async () => {
    const manifest = read('package.json');
    await matchFile(
      asFile({ ...manifest, contributes: { ...manifest.contributes, configuration: configuration() } }),
      'package.json',
    );
  });

  it('package.nls.json has their texts', async () => {
    const others = Object.entries(read('package.nls.json')).filter(([key]) => !/^settings?\./.test(key));
    await matchFile(asFile({ ...texts(), ...Object.fromEntries(others) }), 'package.nls.json');
  });

  it('docs/settings.md lists them', async () => {
    await matchFile(page(), 'docs/settings.md');
  });
});

describe('package.json', () => {
  it('has defaults that the code accepts', () => {
    const raw = Object.fromEntries(SETTING_KEYS.map((key) => [key, SETTINGS[key].fallback]));
    const { settings, diagnostics } = parseSettings(raw, { strategies: ['bm25'] });
    expect({ settings, diagnostics }).toEqual({ settings: DEFAULT_SETTINGS, diagnostics: [] });
  });

  it('lets an untrusted folder set nothing that guards the user', () => {
    const harmless =
      /^(mode|auto\..*|coreTools|strategy|maxResults|searchOnlyModel|offerModels|delivery|guidance.*|mcp\.idleMinutes)$/;
    const { restrictedConfigurations } = read('package.json').capabilities.untrustedWorkspaces;
    const open = SETTING_KEYS.filter(
      (key) => SETTINGS[key].scope !== 'application' && !restrictedConfigurations.includes(`toolsearch.${key}`),
    );
    expect(open.filter((key) => !harmless.test(key))).toEqual([]);
  });

  it('has no setting whose key is the prefix of another', () => {
    expect(SETTING_KEYS.filter((key) => SETTING_KEYS.some((other) => other.startsWith(`${key}.`)))).toEqual([]);
  });

  it('offers every built-in strategy', () => {
    const { choices } = SETTINGS.strategy.reader;
    expect(Object.keys(choices ?? {})).toEqual(['auto', ...BUILT_IN_STRATEGIES]);
  });

  it('ticks steps that were done before the walkthrough opened', () => {
    // VS Code never ticks a step whose condition is true when it reads the step.
    const events = JSON.stringify(read('package.json').contributes.walkthroughs).match(/onContext:[^"]*/g);
    for (const event of events ?? []) expect(event).toMatch(/ && activeEditor == gettingStartedPage$/);
    expect(events).toHaveLength(2);
  });

  it('has a text for every placeholder, and no text too many', () => {
    const used = [...JSON.stringify(read('package.json')).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).toEqual(Object.keys(read('package.nls.json')).sort());
  });
});

const { chatAgents, chatSkills, languageModelTools } = manifest.contributes;
const files = [...chatAgents, ...chatSkills].map(({ path }) => path);
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the agent and the skill', () => {
  it.each(files)('%s is packaged, and begins with its name and what it is for', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
    expect(textOf('.vscodeignore')).toContain('!chat/**');
    expect(textOf(path)).toMatch(/^---\nname: .+\ndescription: .+\n/);
  });

  it.each(files)('%s names only tools of ours that there are', (path) => {
    const text = textOf(path);
    const names = new Set(languageModelTools.map(({ name }) => name));
    const references = new Set(
      languageModelTools.map(({ toolReferenceName }) => `tool-search.tool-search/${toolReferenceName}`),
    );
    for (const [name] of text.matchAll(/toolsearch_\w+/g)) expect(names).toContain(name);
    for (const [reference] of text.matchAll(/tool-search\.tool-search\/\w+/g)) expect(references).toContain(reference);
  });

  it('a skill is called as its folder', () => {
    for (const { path } of chatSkills) expect(textOf(path)).toContain(`\nname: ${basename(dirname(path))}\n`);
  });
});
