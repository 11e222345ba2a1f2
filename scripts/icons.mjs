// The icons of the package: of VS Code's icon font, only the glyphs that the inspector names.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const FOLDER = fileURLToPath(new URL('../node_modules/@vscode/codicons/dist', import.meta.url));
/** The files that the icons are made from. */
export const ICON_FILES = [`${FOLDER}/codicon.css`, `${FOLDER}/codicon.ttf`];
const RULE = /^\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm;

/**
 * Returns the style sheet and the font, by file name, with the icons whose names a file of code has as strings.
 * @throws an Error if the style sheet has another form than expected, or no icon is named
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
