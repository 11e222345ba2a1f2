// Checks the documents: links have a target, and the names in them exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path, { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSource, sourceFiles } from './imports';

const OWN = ['docs', 'sample', 'src', 'chat', 'media'];
const texts = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...OWN.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => path.join(folder, name)),
  ),
].map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
/** The number of words that a reader of a file sees. */
const words = (file: string) =>
  texts
    .find((each) => each.file === file)
    ?.text.replace(/<!--[\s\S]*?-->/g, '')
    .split(/\s+/).length;

/** The anchors that GitHub and VS Code give a text's headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('relative links and their anchors resolve', () => {
  const broken = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [target = '', anchor] = link.split('#');
      const place = path.join(ROOT, path.dirname(file), target);
      const found = target === '' ? text : existsSync(place) && target.endsWith('.md') && readFileSync(place, 'utf8');
      if (target !== '' && !existsSync(place)) return [`${file}: ${link}`];
      return anchor && !(found && anchorsOf(found).includes(anchor)) ? [`${file}: ${link}`] : [];
    }),
  );
  expect(broken).toEqual([]);
});

it('settings that texts name exist', () => {
  const sections = [manifest.contributes.configuration].flat();
  const settings = sections.flatMap(({ properties }: { properties: object }) => Object.keys(properties));
  const isKnown = (name: string) => settings.some((setting) => setting === name || setting.startsWith(`${name}.`));
  const unknown = texts
    .filter(({ file }) => file !== 'CHANGELOG.md')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/`"?toolsearch\.([a-zA-Z.]*[a-zA-Z])[`"=]/g)].flatMap(([, name = '']) =>
        isKnown(`toolsearch.${name}`) || /^(tokens|certainty|search)\./.test(name) ? [] : [`${file}: ${name}`],
      ),
    );
  expect(unknown).toEqual([]);
});

it('README and ARCHITECTURE stay short', () => {
  expect(words('README.md')).toBeLessThanOrEqual(1_500);
  expect(words('ARCHITECTURE.md')).toBeLessThanOrEqual(2_500);
});

const TEXTS = ['ARCHITECTURE.md', ...readdirSync(join(ROOT, 'docs/decisions')).map((file) => `docs/decisions/${file}`)];

it('ARCHITECTURE.md and the decisions name only files that exist', () => {
  const files = ['src', 'webview', 'test/unit'].flatMap((folder) => sourceFiles(folder)).map((file) => `/${file}`);
  const named = TEXTS.flatMap((text) =>
    [...readFileSync(join(ROOT, text), 'utf8').matchAll(/`([a-zA-Z/]+\.tsx?)`/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

it('the glossary names only types and functions that exist', () => {
  const glossary = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('## Picture')[0] ?? '';
  const code = sourceFiles('src').map(readSource).join('\n');
  const named = [...glossary.matchAll(/`([A-Z]\w+|[a-z]+[A-Z]\w*)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});

it('extension.ts only wires what the composers build', () => {
  expect(readSource('src/extension.ts').split('\n').length).toBeLessThan(100);
});
