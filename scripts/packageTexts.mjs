// Texts that are made for the package: the licences of everything in it, and the page of the extension.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Licences that allow shipping with a notice. A package with another one must be looked at by a person first. */
const ALLOWED = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC-BY-4.0', '0BSD', 'Unlicense']);

/** Parts of a package that have authors of their own, whom its licence file doesn't name. */
const PARTS = {
  'quickjs-wasi': `quickjs.wasm contains QuickJS-NG, under the MIT License:
Copyright (c) 2017-2025 Fabrice Bellard
Copyright (c) 2017-2025 Charlie Gordon
Copyright (c) 2023-2025 Ben Noordhuis
Copyright (c) 2023-2025 Saúl Ibarra Corretgé`,
};

/** The folder of the package that a bundled file belongs to; undefined for files of our own. */
function packageFolder(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0];
}

/**
 * The text of ThirdPartyNotices.txt.
 * @param files what the bundler has put into the package or what was copied there, as paths
 * @throws an Error for a package without a licence file, or with a licence that isn't allowed
 */
export function thirdPartyNotices(files) {
  const folders = [...new Set(files.flatMap((file) => packageFolder(file) ?? []))];
  const notices = new Map(folders.map((folder) => [readManifest(folder).id, notice(folder)]));
  const sorted = [...notices].sort(([a], [b]) => (a < b ? -1 : 1));
  const list = sorted.map(([id, { license }]) => `- ${id} (${license})`).join('\n');
  const line = '-'.repeat(80);
  const texts = sorted.map(([id, { text }]) => `${line}\n${id}\n${line}\n\n${text}`).join('\n\n');
  return `Tool Search contains software and pictures of others:\n\n${list}\n\n${texts}\n`;
}

function readManifest(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return { name, id: `${name} ${version}`, license };
}

function notice(folder) {
  const { name, id, license } = readManifest(folder);
  if (!ALLOWED.has(license)) throw new Error(`${id} has the licence ${license}, which is not on the list of notices.`);
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  if (texts.length === 0) throw new Error(`${id} has no licence file.`);
  return { license, text: [...texts, ...(PARTS[name] ? [PARTS[name]] : [])].join('\n\n') };
}

/**
 * README.md as the page of the installed extension. Pictures and relative links work only if package.json names the
 * repository, which vsce completes them with. Without one, pictures are left out and such links are plain text.
 */
export function packagedReadme(readme, { repository }) {
  if (repository) return readme;
  const anchors = new Set([...readme.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title)));
  const leads = (target) => (target.startsWith('#') ? anchors.has(target.slice(1)) : /^[a-z]+:/.test(target));
  return readme
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replace(/!\[[^\]]*\]\((?!https:)[^)]*\)/g, '')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, text, target) => (leads(target) ? link : text));
}

/** The id of a heading, as GitHub and VS Code make it. */
function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
