import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { withoutPending } from '../../../../src/core/conversation/unanswered';
import { withAttachments } from '../../../../src/ui/chat/attachments';
import { keptItems, readHistory, turnMetadata } from '../../../../src/ui/chat/history';
import { readName, readPin } from '../../../../src/ui/chat/pinArgument';
import { result, results, said, user } from '../../../data/items';
import { Location, Uri } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';
import { ChatRequestTurn, ChatResponseMarkdownPart, ChatResponseTurn } from '../../shim/parts';

const CALL = { callId: 'c1', name: 'math_sum', input: { a: 1 } };
const ITEMS = [user('add'), said('', [CALL]), results(result('c1', '1')), said('1')];

/** A question and its answer, as VS Code returns them: the metadata was converted to JSON and back. */
function exchange(prompt: string, answer: string, metadata?: unknown, command?: string) {
  const result = metadata === undefined ? {} : { metadata: JSON.parse(JSON.stringify(metadata)) };
  return [
    new ChatRequestTurn(prompt, command),
    new ChatResponseTurn([new ChatResponseMarkdownPart(answer)], result, command),
  ];
}

const read = (...turns: object[][]) => readHistory(turns.flat() as unknown as vscode.ChatContext['history']).history;

const asText = (prompt: string, answer: string) => [user(prompt), said(answer)];

describe('the conversation so far', () => {
  it('is what its turns have left behind', () => {
    expect(
      read(exchange('add', 'shown', turnMetadata(ITEMS)), exchange('again', 'x', turnMetadata(asText('again', 'x')))),
    ).toEqual([...ITEMS, ...asText('again', 'x')]);
  });

  it.each([
    ['nothing', undefined],
    ['another version', { toolsearch: { version: 2, items: ITEMS } }],
    ['something else than items', { toolsearch: { version: 1, items: 'all' } }],
    ['a damaged item', { toolsearch: { version: 1, items: [{ kind: 'assistant', text: 'x', calls: [{ name: 7 }] }] } }],
    ['somebody else', { copilot: {} }],
  ])('is the text alone of a turn with what is of %s', (_, metadata) => {
    expect(read(exchange('add', '1', metadata))).toEqual(asText('add', '1'));
  });

  it('has no slash commands, and no turns without a model', () => {
    expect(
      read(exchange('', 'bm25', undefined, 'strategy'), exchange('add', '⚠ not trusted', turnMetadata([]))),
    ).toEqual([]);
  });

  it('has what is known of a question that a reload cut', () => {
    const cut = [user('write', { unanswered: 'cancelled' })];
    const known = (prompt: string) => (prompt === 'write' ? { turn: 1, items: cut } : undefined);
    const of = (...turns: object[]) => readHistory(turns as unknown as vscode.ChatContext['history'], known).history;
    expect(of(...exchange('write', 'Begun …'), ...exchange('add', '1'))).toEqual([...cut, ...asText('add', '1')]);
    expect(of(new ChatRequestTurn('write'), ...exchange('add', '1'))).toEqual([...cut, ...asText('add', '1')]);
    expect(
      of(new ChatRequestTurn('other'), ...exchange('write', 'Done', turnMetadata(asText('write', 'Done')))),
    ).toEqual(asText('write', 'Done'));
  });

  it('looks only for what questions lost, each turn once', () => {
    const asked: [string, number[]][] = [];
    const known = (prompt: string, turns: ReadonlySet<number>) => {
      asked.push([prompt, [...turns]]);
      return { turn: 10 + asked.length, items: asText(prompt, 'cut') };
    };
    const turns = [
      exchange('add', '', undefined, 'eager'),
      exchange('add', '', undefined, 'find'),
      exchange('add', 'shown', turnMetadata(ITEMS, 7)),
      exchange('add', ''),
    ];
    const history = turns.flat() as unknown as vscode.ChatContext['history'];
    expect(readHistory(history, known).history).toEqual([...asText('add', 'cut'), ...ITEMS, ...asText('add', 'cut')]);
    expect(asked).toEqual([
      ['add', [7]],
      ['add', [7, 11]],
    ]);
  });

  it('tells failed questions from answered ones, whatever is left', () => {
    const failed = (prompt: string, shown: string, metadata?: unknown) => [
      new ChatRequestTurn(prompt),
      new ChatResponseTurn([new ChatResponseMarkdownPart(shown)], {
        errorDetails: { message: 'Overloaded.' },
        ...(metadata ? { metadata } : {}),
      }),
    ];
    const kept = [user('add', { unanswered: 'failed' })];
    expect(read(failed('add', '', turnMetadata(kept)))).toEqual(kept);
    expect(read(failed('add', ''))).toEqual(kept);
    expect(read(failed('add', 'It is'))).toEqual([...kept, said('It is')]);
    // The same question again, and another one, as the model reads them.
    const asked = (prompt: string) => withoutPending([...read(failed('add', '')), user(prompt)]);
    expect(asked('add')).toEqual([user('add')]);
    expect(asked('thanks').map((item) => item.kind)).toEqual(['user', 'assistant', 'user']);
  });

  it('has no turn without an answer', () => expect(read(exchange('add', ''))).toEqual([]));
});

it('what a turn leaves behind is read as it was', () => {
  expect(keptItems(turnMetadata(ITEMS))).toEqual(ITEMS);
  expect(keptItems(undefined)).toBeUndefined();
});

it('a prompt has the user’s attachments without VS Code’s agent texts', async () => {
  const references = [
    { id: 'vscode.customizations.index', value: '<skills>…</skills>' },
    { id: 'note', value: 'of the user' },
    { id: 'a', value: Uri.file('/w/"a".txt') },
    { id: 'b', value: new Location(Uri.file('/w/b.txt'), { start: 1 }) },
    { id: 'c', value: Uri.file('/w/gone.png') },
    { id: 'd', value: 'x'.repeat(36_002) },
    { id: 'e', value: 'y'.repeat(36_000) },
    { id: 'f', value: 7 },
  ];
  resetHost();
  for (const name of ['"a"', 'b']) host.files.set(`file:///w/${name}.txt`, new TextEncoder().encode(`of ${name}`));
  const attached = (name: string, text: string) => `<attachment name=${JSON.stringify(name)}>\n${text}\n</attachment>`;
  expect((await withAttachments('add a=2', references as never)).split('\n\n')).toEqual([
    ...['add a=2', attached('note', 'of the user'), attached('"a".txt', 'of "a"')],
    ...[attached('b.txt', 'of b {"start":1}'), attached('gone.png', '(could not be read as text)')],
    ...[attached('d', `${'x'.repeat(36_000)}\n… (2 more characters)`), attached('e', 'y'.repeat(36_000))],
  ]);
});

describe('what /pin is asked for', () => {
  it.each([
    ['github/create_issue', 'github/create_issue', 'eager'],
    ['github deferred', 'github', 'deferred'],
    ['my files', 'my files', 'eager'],
    ['  my   files   deferred ', 'my   files', 'deferred'],
    ['"my files" eager', 'my files', 'eager'],
    ['`my files/read file`', 'my files/read file', 'eager'],
    ['deferred', 'deferred', 'eager'],
    ['"deferred" deferred', 'deferred', 'deferred'],
    ["bob's", "bob's", 'eager'],
    ['', '', 'eager'],
  ])('%s', (argument, name, how) => expect(readPin(argument)).toEqual({ name, how }));

  it('/unpin takes the whole as a name', () => expect(readName("'my files'")).toBe('my files'));
});
