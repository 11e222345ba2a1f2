// The commands for search words: written by the user's own model, changed by hand, exported for a team.

import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import type { SearchWords } from '../../core/search/words/searchWords';
import { boundedWords, writeWordsFile } from '../../core/search/words/wordsFile';
import { BATCH, readWords, wordsPrompt, writingTokens } from '../../core/search/words/writeWords';
import type { Settings } from '../../core/settings/settings';
import { plainLabel } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import { type SearchWordStore, TEAM_FILE } from '../../vscode/searchWordStore';

/** What the commands for search words work on. */
interface SearchWordsCommandsDeps {
  readonly store: SearchWordStore;
  readonly settings: () => Settings;
  readonly tools: () => readonly Tool[];
  /** Replaces secrets in a text before it goes to a model or into a file. */
  readonly redact: (text: string) => string;
}

/** English, the display language, and what the setting adds; the setting alone if it is set. */
function languagesOf({ searchWordsLanguages }: Settings): readonly string[] {
  const wanted = searchWordsLanguages.length > 0 ? searchWordsLanguages : [vscode.env.language];
  return [...new Set(['en', ...wanted.map((language) => language.toLowerCase())])];
}

/** Asks before anything is sent: which model, how many tools, about how many tokens. */
export async function writeSearchWords(deps: SearchWordsCommandsDeps): Promise<void> {
  const settings = deps.settings();
  if (settings.searchWords === 'off') {
    const open = vscode.l10n.t('Open Setting');
    const text = vscode.l10n.t('Search words are off (`toolsearch.searchWords`).');
    if ((await vscode.window.showInformationMessage(text, open)) === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'toolsearch.searchWords');
    return;
  }
  const languages = languagesOf(settings);
  const missing = deps.tools().filter((tool) => {
    const words = deps.store.book.of(tool);
    return languages.some((language) => !words?.[language]);
  });
  if (missing.length === 0) {
    const text = vscode.l10n.t('All tools have search words in these languages: {0}.', languages.join(', '));
    void vscode.window.showInformationMessage(text);
    return;
  }
  const model = await pickModel();
  if (!model) return;
  const { input, output } = writingTokens(missing, languages);
  const figure = (value: number) => value.toLocaleString(vscode.env.language);
  if (settings.searchWords === 'ask') {
    const start = vscode.l10n.t('Write Search Words');
    const text = counted(
      vscode.l10n.t('Write search words for {0, plural, one {# tool} other {# tools}} with {1}?'),
      missing.length,
      model.name,
    );
    const detail = vscode.l10n.t(
      'The model reads the definitions of these tools, about {0} tokens, and writes about {1} tokens in {2}. This happens once for each definition. The words stay in the search index on this machine and are not part of any request.',
      figure(input),
      figure(output),
      languages.join(', '),
    );
    if ((await vscode.window.showInformationMessage(text, { modal: true, detail }, start)) !== start) return;
  }
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Writing search words with {0}', model.name),
      cancellable: true,
    },
    (progress, token) => writeAll(deps, { missing, languages, model, progress, token }),
  );
}

interface Writing {
  readonly missing: readonly Tool[];
  readonly languages: readonly string[];
  readonly model: vscode.LanguageModelChat;
  readonly progress: vscode.Progress<{ message: string; increment: number }>;
  readonly token: vscode.CancellationToken;
}

/** Each batch is kept when it arrives, so after a cancel or a reload only the rest is asked for. */
async function writeAll(deps: SearchWordsCommandsDeps, writing: Writing): Promise<void> {
  const { missing, languages, model, progress, token } = writing;
  let done = 0;
  for (let i = 0; i < missing.length && !token.isCancellationRequested; i += BATCH) {
    const batch = missing.slice(i, i + BATCH);
    const answer = await ask(model, deps.redact(wordsPrompt(batch, languages)), token);
    if (answer === undefined) break;
    const words = new Map<Tool, SearchWords>();
    for (const [at, own] of readWords(answer, batch.length, languages)) words.set(batch[at] as Tool, own);
    if (words.size > 0) await deps.store.keep(words);
    done += words.size;
    progress.report({ message: `${done}/${missing.length}`, increment: (100 * batch.length) / missing.length });
  }
  void vscode.window.showInformationMessage(
    counted(
      vscode.l10n.t(
        '{0} of {1, plural, one {# tool} other {# tools}} got search words. Run the command again for the rest.',
      ),
      done,
      missing.length,
    ),
  );
}

/** The model's answer; undefined if the user cancelled. */
async function ask(
  model: vscode.LanguageModelChat,
  prompt: string,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  try {
    const response = await model.sendRequest(
      [vscode.LanguageModelChatMessage.User(prompt)],
      { justification: vscode.l10n.t('Tool Search writes search words for your tools.') },
      token,
    );
    let answer = '';
    // A model that never ends its answer would fill the memory.
    for await (const part of response.text) if (answer.length < MAX_ANSWER) answer += part;
    return answer;
  } catch (error) {
    if (token.isCancellationRequested) return undefined;
    throw error;
  }
}

/** UTF-16 units; a batch's answer has some ten thousand. */
const MAX_ANSWER = 200_000;

async function pickModel(): Promise<vscode.LanguageModelChat | undefined> {
  const models = (await vscode.lm.selectChatModels()).filter(
    ({ id, vendor }) => !`${vendor}/${id}`.includes('search-only'),
  );
  if (models.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'There is no language model that could write search words. Words that come with Tool Search are used.',
      ),
    );
    return undefined;
  }
  const items = models.map((model) => ({ label: model.name, description: `${model.vendor}/${model.id}`, model }));
  const placeHolder = vscode.l10n.t('Model that writes the search words');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.model;
}

/** Shows the words of a tool and where they come from, and lets the user change them. */
export async function editSearchWords({ store, tools, settings }: SearchWordsCommandsDeps): Promise<void> {
  const items = tools().map((tool) => ({
    label: plainLabel(tool.id),
    description: store.book.originsOf(tool).map(originText).join(', '),
    detail: plainLabel(textOf(store.book.of(tool) ?? {})),
    tool,
  }));
  const placeHolder = vscode.l10n.t('Tool whose search words you want to see or change');
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return;
  const text = await vscode.window.showInputBox({
    title: picked.label,
    prompt: vscode.l10n.t('Words for each language, as in `{0}`', 'en: crash report, stack trace; de: Absturz'),
    value: textOf(store.book.of(picked.tool) ?? Object.fromEntries(languagesOf(settings()).map((one) => [one, []]))),
  });
  if (text === undefined) return;
  const lists = text.split(';').map((list) => list.split(':', 2).map((part) => part.trim()) as [string, string?]);
  await store.keep(new Map([[picked.tool, boundedWords(Object.fromEntries(lists))]]));
}

function textOf(words: SearchWords): string {
  return Object.entries(words)
    .map(([language, phrases]) => `${language}: ${phrases.join(', ')}`)
    .join('; ');
}

function originText(origin: 'shipped' | 'written' | 'team'): string {
  switch (origin) {
    case 'shipped':
      return vscode.l10n.t('comes with Tool Search');
    case 'written':
      return vscode.l10n.t('written here');
    case 'team':
      return TEAM_FILE;
  }
}

/** Writes the words that the team or this machine has into the team's file. */
export async function exportSearchWords({ store, tools, redact }: SearchWordsCommandsDeps): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error(vscode.l10n.t('Open a folder first: the words go into its {0}.', TEAM_FILE));
  const own = tools().filter((tool) => store.book.originsOf(tool).some((origin) => origin !== 'shipped'));
  if (own.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is nothing to export: no search words were written here.'),
    );
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, TEAM_FILE);
  const text = writeWordsFile(Object.fromEntries(own.map((tool) => [tool.id, store.book.of(tool) ?? {}])));
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(redact(text)));
  await vscode.window.showTextDocument(uri);
}
