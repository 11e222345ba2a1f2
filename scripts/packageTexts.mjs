// Makes the texts of the package: the licences of everything in it, and the extension's page.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Licences that allow shipping with a notice. A person has to look first at a package with any other licence. */
const ALLOWED = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC-BY-4.0', '0BSD', 'Unlicense']);

/** Parts of packages whose authors the package's licence file doesn't name. */
const PARTS = {
  'quickjs-wasi': `quickjs.wasm contains QuickJS-NG, under the MIT License:
Copyright (c) 2017-2025 Fabrice Bellard
Copyright (c) 2017-2025 Charlie Gordon
Copyright (c) 2023-2025 Ben Noordhuis
Copyright (c) 2023-2025 Saúl Ibarra Corretgé`,
};

/** The folder of the package that a bundled file belongs to; undefined for the project's own files. */
function packageFolder(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0];
}

/**
 * Returns the text of ThirdPartyNotices.txt.
 * @param files the files that were bundled or copied into the package, as paths
 * @throws an Error for a package without a licence file, or with a licence that isn't allowed
 */
export function thirdPartyNotices(files) {
  const folders = [...new Set(files.flatMap((file) => packageFolder(file) ?? []))];
  const notices = new Map([
    ...folders.map((folder) => [readManifest(folder).id, notice(folder)]),
    ...files.flatMap((file) => inlinedIn(file)),
  ]);
  const sorted = [...notices].sort(([a], [b]) => (a < b ? -1 : 1));
  const list = sorted.map(([id, { license }]) => `- ${id} (${license})`).join('\n');
  const line = '-'.repeat(80);
  const texts = sorted.map(([id, { text }]) => `${line}\n${id}\n${line}\n\n${text}`).join('\n\n');
  return `Tool Search contains software and pictures of others:\n\n${list}\n\n${texts}\n`;
}

/**
 * Returns the notices of the packages whose code is inside a file of another package: copied into a folder with their
 * name, or put there by a bundler, which leaves a comment. A copy has no licence file, so the package itself must be
 * installed.
 */
function inlinedIn(file) {
  const folder = packageFolder(file);
  if (!folder || !existsSync(file)) return [];
  const copied = /\/(?:_vendor\/([\w-]+)|internal\/(qs))\//.exec(file.replaceAll('\\', '/'))?.slice(1) ?? [];
  const bundled = readFileSync(file, 'utf8').matchAll(/^\/\/#region \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm);
  const names = new Set([...copied, ...[...bundled].map(([, name]) => name)].filter(Boolean));
  const installed = folder.slice(0, folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return [...names].map((name) => [`${name}, inside ${readManifest(folder).id}`, notice(`${installed}${name}`)]);
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
 * Returns README.md as the page of the installed extension: without `<!--clone-->…<!--/clone-->`, and with the comments
 * `<!--installed …-->`. Pictures and relative links need the repository in package.json, since vsce completes their
 * addresses with it. Without a repository, pictures and `<!--repository-->…<!--/repository-->` are left out, comments
 * `<!--no repository …-->` are shown, and relative links become plain text.
 */
export function packagedReadme(readme, { repository }) {
  const without = (text, name) => text.replace(new RegExp(`<!--${name}-->[\\s\\S]*?<!--/${name}-->\n?`, 'g'), '');
  const shown = (text, name) => text.replace(new RegExp(`<!--${name}\n([\\s\\S]*?)-->\n?`, 'g'), '$1');
  const installed = shown(without(readme, 'clone'), 'installed');
  if (repository) return installed;
  const text = shown(without(installed, 'repository'), 'no repository');
  const anchors = new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title)));
  const leads = (target) => (target.startsWith('#') ? anchors.has(target.slice(1)) : /^[a-z]+:/.test(target));
  return text
    .replace(/!\[[^\]]*\]\((?!https:)[^)]*\)/g, '')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words, target) => (leads(target) ? link : words))
    .replace(/\n{3,}/g, '\n\n');
}

/** The id that GitHub and VS Code give a heading. */
function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
