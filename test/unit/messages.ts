// Collects every sentence that a user can see into one table: docs/messages.md. A test writes the table, so that a
// person can read it as a whole.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { INSPECTOR_STRINGS } from '../../src/inspector/text/strings';
import { ROOT } from './imports';

/** The beginning of a file's path in `src`, and the place in which its messages appear. The first match counts. */
const PLACES: readonly (readonly [folder: string, place: string])[] = [
  ['ui/chat', 'Chat'],
  ['ui/confirmations', 'Confirmations'],
  ['ui/keys', 'Keys'],
  ['ui/', 'Commands and status bar'],
  ['core/settings', 'Settings'],
  ['tools/', 'Servers and tools'],
  ['core/catalog', 'Servers and tools'],
  ['providers/', 'Models'],
  ['inspector/', 'Inspector'],
  ['core/planning', 'Reasons'],
  ['vscode/', 'Storage'],
  ['', 'Turns, searches and scripts'],
];

const CALL = /\bl10n\.t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;

/** Whether a text is a message: at least one whole sentence, and not a label. */
const isMessage = (text: string) => /\s/.test(text) && /[.?!:]\)?$/.test(text.trim());

/** Returns the page's text. */
export function messagesPage(): string {
  const german: { readonly [text: string]: string } = JSON.parse(
    readFileSync(path.join(ROOT, 'l10n/bundle.l10n.de.json'), 'utf8'),
  );
  const byPlace = new Map<string, Set<string>>(PLACES.map(([, place]) => [place, new Set()]));
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
    const place = PLACES.find(([folder]) => file.replaceAll(path.sep, '/').startsWith(folder))?.[1] ?? '';
    const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
    for (const [, literal] of text.matchAll(CALL)) byPlace.get(place)?.add(runInNewContext(literal ?? ''));
  }
  for (const text of Object.values(INSPECTOR_STRINGS)) byPlace.get('Inspector')?.add(text);

  const cell = (text = '') => text.replaceAll('\n', ' ⏎ ').replaceAll('|', '\\|').replaceAll('](', ']\\(');
  const seen = new Set<string>();
  const tables = [...byPlace].map(([place, texts]) => {
    const rows = [...texts].filter((text) => isMessage(text) && !seen.has(text)).sort();
    for (const text of rows) seen.add(text);
    return [`## ${place}`, '', '| English | German |', '| --- | --- |']
      .concat(rows.map((text) => `| ${cell(text)} | ${cell(german[text])} |`))
      .join('\n');
  });
  const page = [
    '# Messages',
    'Every sentence that a user can meet, by the place where it is met. `{0}` and `{name}` are filled in. `npx vitest run --project unit test/unit/translations.test.ts -u` writes this page.',
    ...tables,
  ].join('\n\n');
  return `${page}\n`;
}
