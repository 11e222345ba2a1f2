// Makes the icons of the package: only those glyphs of VS Code's icon font that the inspector uses.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const FOLDER = fileURLToPath(new URL('../node_modules/@vscode/codicons/dist', import.meta.url));
/** The files from which the icons are made. */
export const ICON_FILES = [`${FOLDER}/codicon.css`, `${FOLDER}/codicon.ttf`];
const RULE = /^\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm;

/**
 * Returns the style sheet and the font, by file name, with the icons whose names occur as strings in the file `code`.
 * @throws an Error if the style sheet has an unexpected form, or if the code names no icon
 */
export async function iconsOf(code) {
  const strings = new Set((await readFile(code, 'utf8')).match(/(?<=(["'`]))[a-z][a-z0-9-]*(?=\1)/g));
  const css = await readFile(ICON_FILES[0], 'utf8');
  const glyphs = [...css.matchAll(RULE)].filter(([, name]) => strings.has(name)).map(([, , glyph]) => glyph);
  if (glyphs.length === 0) throw new Error(`${code} names no icon, or codicon.css has another form.`);
  const text = String.fromCodePoint(...glyphs.map((glyph) => Number.parseInt(glyph, 16)));
  return [
    ['codicon.css', css.replace(RULE, (rule, name) => (strings.has(name) ? rule : ''))],
    ['codicon.ttf', await subsetFont(await readFile(ICON_FILES[1]), text, { targetFormat: 'truetype' })],
  ];
}
