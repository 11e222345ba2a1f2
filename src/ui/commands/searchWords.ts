// The commands for search words: let a model write them, edit them, and export them for a team.

import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import { asksNoModel } from '../../core/ledger/turnTokens';
import { offeredTools } from '../../core/planning/hidden';
import type { SearchWords } from '../../core/search/words/searchWords';
import { definitionHash, mergeWords } from '../../core/search/words/wordBook';
import { boundedWords, isLanguage, writeWordsFile } from '../../core/search/words/wordsFile';
import {
  BATCH,
  languagesToWrite,
  readWords,
  toolsToWrite,
  wordsPrompt,
  writingFigures,
} from '../../core/search/words/writeWords';
import type { Pins } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import { modelPrices } from '../../core/usage/modelPrices';
import { languageNames } from '../../core/util/languageNames';
import { messageOf } from '../../core/util/messageOf';
import { plainLabel, plainMessage } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import { readTeamFile, type SearchWordStore, TEAM_FILE } from '../../vscode/searchWordStore';

/** The services that these commands need. */
interface SearchWordsCommandsDeps {
  readonly store: SearchWordStore;
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  readonly tools: () => readonly Tool[];
  /** Removes secrets from a text before it is sent to a model or written to a file. */
  readonly redact: (text: string) => string;
  /** The model that the user last chose to write search words. */
  readonly chosen: { get(): string | undefined; set(model: string): Thenable<void> };
}

function languagesOf({ searchWordsLanguages }: Settings): readonly string[] {
  return languagesToWrite(searchWordsLanguages, vscode.env.language);
}

/** Returns the tools that can have search words, without those that the user hid. If there are none, shows why. */
async function usableTools({ settings, pins, tools }: SearchWordsCommandsDeps): Promise<readonly Tool[]> {
  if (settings().searchWords === 'off') {
    const open = vscode.l10n.t('Open Setting');
    const text = vscode.l10n.t('Search words are off (`toolsearch.searchWords`).');
    if ((await vscode.window.showInformationMessage(text, open)) === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'toolsearch.searchWords');
    return [];
  }
  const usable = offeredTools(tools(), { settings: settings(), pins: pins() });
  if (usable.length === 0) {
    const text = vscode.l10n.t('There are no tools to search. `/tools` shows the state of each server.');
    void vscode.window.showInformationMessage(text);
  }
  return usable;
}

/** Lets a model write search words. The user first sees the model, the number of tools and the estimated tokens. */
export async function writeSearchWords(deps: SearchWordsCommandsDeps): Promise<void> {
  const settings = deps.settings();
  const tools = await usableTools(deps);
  if (tools.length === 0) return;
  if (isWriting) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Search words are being written already.'));
    return;
  }
  const languages = languagesOf(settings);
  const missing = toolsToWrite(tools, languages, deps.store.book.of);
  if (missing.length === 0) {
    const text = vscode.l10n.t(
      'All tools have search words in these languages: {0}.',
      languageNames(languages, vscode.env.language),
    );
    void vscode.window.showInformationMessage(text);
    return;
  }
  const model = await pickModel();
  if (!model) return;
  const modelName = plainMessage(model.name);
  const { input, output, requests } = writingFigures(missing, languages);
  const figure = (value: number) => value.toLocaleString(vscode.env.language);
  if (settings.searchWords === 'ask') {
    const start = vscode.l10n.t('Write Search Words');
    const text = counted(
      vscode.l10n.t('Write search words for {0, plural, one {# tool} other {# tools}} with {1}?'),
      missing.length,
      modelName,
    );
    const detail = counted(
      vscode.l10n.t(
        'The model reads the definitions of these tools (about {1} tokens, in {0, plural, one {# request} other {# requests}}) and writes about {2} tokens in {3}. {4} Each definition is read only once. The words stay in the search index on this machine and are never part of a request. If the model’s provider searches (delivery server), it doesn’t use them.',
      ),
      requests,
      figure(input),
      figure(output),
      languageNames(languages, vscode.env.language),
      priceText(model, input),
    );
    if ((await vscode.window.showInformationMessage(text, { modal: true, detail }, start)) !== start) return;
  }
  await deps.chosen.set(keyOf(model));
  const { done, wasUseless } = await writeWithProgress(deps, { missing, languages, model }, true);
  void vscode.window.showInformationMessage(outcomeText(done, missing.length, wasUseless));
}

/** Returns a sentence on the price of the tokens that the model reads. It has no amount if no list price is known. */
function priceText(model: vscode.LanguageModelChat, input: number): string {
  const usd = modelPrices(model)?.usd;
  if (usd === undefined) return vscode.l10n.t('The cost depends on your plan for the model.');
  const dollars = { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 } as const;
  return vscode.l10n.t(
    "Input: about {0} at list price. Output isn't included and costs more per token.",
    ((usd * input) / 1e6).toLocaleString(vscode.env.language, dollars),
  );
}

/**
 * The hashes of definitions that were sent in the background. If a model wrote no words for a tool, it isn't asked
 * again.
 */
const askedFor = new Set<string>();
let isWriting = false;

/**
 * Writes words for new and changed tools without asking, if the setting is `always` and a model was chosen earlier.
 * Does nothing while words are already being written.
 */
export async function writeInBackground(deps: SearchWordsCommandsDeps): Promise<void> {
  const settings = deps.settings();
  const chosen = deps.chosen.get();
  if (isWriting || settings.searchWords !== 'always' || chosen === undefined) return;
  const languages = languagesOf(settings);
  const shown = offeredTools(deps.tools(), { settings, pins: deps.pins() });
  const missing = toolsToWrite(shown, languages, deps.store.book.of).filter(
    (tool) => !askedFor.has(definitionHash(tool)),
  );
  if (missing.length === 0) return;
  const model = (await writers()).find((one) => keyOf(one) === chosen);
  if (!model || isWriting) return;
  for (const tool of missing) askedFor.add(definitionHash(tool));
  await writeWithProgress(deps, { missing, languages, model }, false);
}

/** Writes words and shows the progress: in a notification with Cancel, or in the status bar. */
async function writeWithProgress(
  deps: SearchWordsCommandsDeps,
  writing: Pick<Writing, 'missing' | 'languages' | 'model'>,
  isAsked: boolean,
): Promise<Written> {
  const title = vscode.l10n.t('Writing search words with {0}', plainMessage(writing.model.name));
  const location = isAsked ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window;
  isWriting = true;
  try {
    return await vscode.window.withProgress({ location, title, cancellable: isAsked }, (progress, token) =>
      writeAll(deps, { ...writing, progress, token, isWanted: () => isWanted(deps.settings(), isAsked) }),
    );
  } finally {
    isWriting = false;
  }
}

/** Whether the setting still allows writing. The user may change it meanwhile. */
function isWanted({ searchWords }: Settings, isAsked: boolean): boolean {
  return isAsked ? searchWords !== 'off' : searchWords === 'always';
}

interface Writing {
  readonly missing: readonly Tool[];
  readonly languages: readonly string[];
  readonly model: vscode.LanguageModelChat;
  readonly progress: vscode.Progress<{ message: string; increment: number }>;
  readonly token: vscode.CancellationToken;
  readonly isWanted: () => boolean;
}

/** The number of tools that got words, and whether the model wrote none. */
interface Written {
  readonly done: number;
  readonly wasUseless: boolean;
}

/**
 * Writes words for all tools, in batches. Each batch is stored when it arrives, so a later run continues after a cancel
 * or a reload.
 */
async function writeAll(deps: SearchWordsCommandsDeps, writing: Writing): Promise<Written> {
  const { missing, languages, model, progress, token, isWanted } = writing;
  let done = 0;
  let useless = 0;
  for (let i = 0; i < missing.length && useless < MOST_USELESS; i += BATCH) {
    if (token.isCancellationRequested || !isWanted()) break;
    const batch = missing.slice(i, i + BATCH);
    const answer = await ask(model, promptFor(batch, languages, deps.redact), token);
    if (answer === undefined) break;
    const words = new Map<Tool, SearchWords>();
    for (const [at, own] of readWords(answer, batch.length, languages)) words.set(batch[at] as Tool, own);
    if (words.size > 0) await deps.store.add(words);
    useless = words.size > 0 ? 0 : useless + 1;
    done += words.size;
    progress.report({ message: `${done}/${missing.length}`, increment: (100 * batch.length) / missing.length });
  }
  return { done, wasUseless: useless === MOST_USELESS };
}

function outcomeText(done: number, all: number, wasUseless: boolean): string {
  if (done === all)
    return counted(vscode.l10n.t('{0, plural, one {# tool has} other {# tools have}} search words now.'), all);
  const text = wasUseless
    ? vscode.l10n.t(
        '{0} of {1, plural, one {# tool} other {# tools}} got search words. After that, the model’s answers contained no search words. Try another model.',
      )
    : vscode.l10n.t(
        '{0} of {1, plural, one {# tool} other {# tools}} got search words. Run the command again for the rest.',
      );
  return counted(text, done, all);
}

/** After this many answers in a row without search words, the model isn't asked again. */
const MOST_USELESS = 2;

/**
 * Returns the prompt without secrets. They are removed before descriptions are cut, since a part of a secret can't be
 * recognized.
 */
function promptFor(batch: readonly Tool[], languages: readonly string[], redact: (text: string) => string): string {
  const tools = batch.map((tool) => ({ ...tool, description: redact(tool.description) }));
  return redact(wordsPrompt(tools, languages));
}

/** Returns the model's answer; undefined if the user cancelled. */
async function ask(
  model: vscode.LanguageModelChat,
  prompt: string,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const request = new vscode.CancellationTokenSource();
  const cancelled = token.onCancellationRequested(() => request.cancel());
  try {
    const response = await model.sendRequest(
      [vscode.LanguageModelChatMessage.User(prompt)],
      { justification: vscode.l10n.t('Tool Search writes search words for your tools.') },
      request.token,
    );
    let answer = '';
    // Without a limit, an endless answer would fill the memory.
    for await (const part of response.text) {
      answer += part.slice(0, MAX_ANSWER - answer.length);
      if (answer.length === MAX_ANSWER) break;
    }
    return answer;
  } catch (error) {
    if (token.isCancellationRequested) return undefined;
    throw error;
  } finally {
    cancelled.dispose();
    request.cancel();
    request.dispose();
  }
}

/** The maximum length of an answer, in UTF-16 units. The answer to a batch has about ten thousand. */
const MAX_ANSWER = 200_000;

function keyOf({ vendor, id }: vscode.LanguageModelChat): string {
  return `${vendor}/${id}`;
}

/** Returns the models that can write words. */
async function writers(): Promise<readonly vscode.LanguageModelChat[]> {
  return (await vscode.lm.selectChatModels()).filter((model) => !asksNoModel({ model }));
}

async function pickModel(): Promise<vscode.LanguageModelChat | undefined> {
  const models = await writers();
  if (models.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No language model is available to write search words. Tool Search uses only its built-in words.'),
    );
    return undefined;
  }
  const items = models.map((model) => ({
    label: plainLabel(model.name),
    description: plainLabel(keyOf(model)),
    model,
  }));
  const placeHolder = vscode.l10n.t('Model that writes the search words');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.model;
}

/** Shows the words of a tool and their sources, and lets the user edit them. */
export async function editSearchWords(deps: SearchWordsCommandsDeps): Promise<void> {
  const { store, settings } = deps;
  const tools = await usableTools(deps);
  if (tools.length === 0) return;
  const items = tools.map((tool) => ({
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
  const form = vscode.l10n.t('Words for each language, as in `{0}`', 'en: crash report, stack trace; de: Absturz');
  const text = await vscode.window.showInputBox({
    title: picked.label,
    prompt: form,
    validateInput: (typed) => (wordsIn(typed) ? undefined : form),
    value: textOf(store.book.ownOf(picked.tool) ?? Object.fromEntries(languagesOf(settings()).map((one) => [one, []]))),
  });
  if (text === undefined) return;
  await store.keep(new Map([[picked.tool, wordsIn(text) ?? {}]]));
}

/** Reads text in the form of {@link textOf}; undefined if a list has no language. */
function wordsIn(text: string): SearchWords | undefined {
  const lists = new Map<string, string>();
  for (const list of text.split(';').filter((each) => each.trim() !== '')) {
    const [language = '', ...phrases] = list.split(':');
    lists.set(language.trim().toLowerCase(), phrases.join(':'));
  }
  return [...lists.keys()].every(isLanguage) ? boundedWords(Object.fromEntries(lists)) : undefined;
}

function textOf(words: SearchWords): string {
  return Object.entries(words)
    .map(([language, phrases]) => `${language}: ${phrases.join(', ')}`)
    .join('; ');
}

function originText(origin: 'shipped' | 'written' | 'team'): string {
  if (origin === 'team') return TEAM_FILE;
  return origin === 'shipped' ? vscode.l10n.t('comes with Tool Search') : vscode.l10n.t('written here');
}

/** Adds the words on this machine to the team's file. Words of tools that this window doesn't have stay in the file. */
export async function exportSearchWords(deps: SearchWordsCommandsDeps): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder)
    throw new Error(vscode.l10n.t('Open a folder first. Search words are exported to {0} in that folder.', TEAM_FILE));
  const tools = await usableTools(deps);
  if (tools.length === 0) return;
  const own = tools.flatMap((tool) => {
    const words = deps.store.book.sharedOf(tool);
    return words ? [[tool.id, words] as const] : [];
  });
  if (own.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is nothing to export: no search words were written here.'),
    );
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, TEAM_FILE);
  const all = new Map<string, SearchWords>();
  for (const [id, { words }] of await readForExport(folder.uri)) all.set(id, words);
  for (const [id, words] of own) all.set(id, mergeWords([all.get(id), words]) ?? words);
  const text = deps.redact(writeWordsFile(Object.fromEntries(all)));
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(uri);
}

/** Returns the words in the team's file. A file that can't be read is never overwritten. */
async function readForExport(folder: vscode.Uri): Promise<Awaited<ReturnType<typeof readTeamFile>>> {
  try {
    return await readTeamFile(folder);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(
      vscode.l10n.t('{0} can’t be read: {1}. Correct the file first. Nothing was written to it.', TEAM_FILE, reason),
    );
  }
}
