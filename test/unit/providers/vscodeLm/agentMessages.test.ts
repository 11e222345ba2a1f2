import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { KEPT_MIME, readConversation } from '../../../../src/providers/vscodeLm/agentMessages';
import { result, results, said, user } from '../../../data/items';
import {
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from '../../shim/parts';

const SYSTEM = 3;
const USER = 1;
const ASSISTANT = 2;

const read = (...messages: (readonly [role: number, ...content: unknown[]])[]) =>
  readConversation(
    messages.map(
      ([role, ...content]) => ({ role, content, name: undefined }) as unknown as vscode.LanguageModelChatRequestMessage,
    ),
  );
const text = (value: string) => new LanguageModelTextPart(value);
const data = (value: string, mimeType: string) => new LanguageModelDataPart(new TextEncoder().encode(value), mimeType);

describe('what a caller of our models hands over', () => {
  it('has its system messages apart', () => {
    expect(
      read([SYSTEM, text('Be kind.')], [USER, text('hi')], [SYSTEM, text('')], [SYSTEM, text('Be brief.')]),
    ).toEqual({ system: 'Be kind.\n\nBe brief.', items: [{ item: { kind: 'user', text: 'hi' } }] });
  });

  it('keeps calls and their results, with every kind of content', () => {
    const { items } = read(
      [ASSISTANT, text('one '), text('moment'), new LanguageModelToolCallPart('c1', 'read', { path: 'a' })],
      [
        USER,
        new LanguageModelToolResultPart('c1', [
          text('plain'),
          new LanguageModelPromptTsxPart({ node: 1 }),
          data('{"a":1}', 'application/json'),
          data('AAA', 'image/png'),
          data('PK', 'application/zip'),
          'nonsense',
        ]),
        text('and now?'),
      ],
    );
    expect(items.map(({ item }) => item)).toEqual([
      said('one moment', [{ callId: 'c1', name: 'read', input: { path: 'a' } }]),
      results(
        result('c1', {
          parts: [
            { type: 'text', text: 'plain' },
            { type: 'text', text: '{"node":1}' },
            { type: 'text', text: '{"a":1}' },
            { type: 'image', mimeType: 'image/png', bytes: 3, data: 'QUFB' },
            { type: 'omitted', mimeType: 'application/zip', bytes: 2 },
          ],
        }),
      ),
      user('and now?'),
    ]);
  });

  it('keeps images of a question; what it doesn’t know is left out', () => {
    expect(
      read([USER, text('look'), data('AAA', 'image/jpeg'), data('B', 'image/tiff'), data('?', 'text/x-own+json')])
        .items,
    ).toEqual([
      { item: user('look?', { images: [{ type: 'image', mimeType: 'image/jpeg', bytes: 3, data: 'QUFB' }] }) },
    ]);
  });

  it('returns what we gave it with a reply, if it’s JSON', () => {
    const kept = [said('x')];
    expect(read([ASSISTANT, text('x'), LanguageModelDataPart.json(kept, KEPT_MIME)]).items).toEqual([
      { item: said('x'), kept },
    ]);
    expect(read([ASSISTANT, text('x'), data('{', KEPT_MIME)]).items[0]?.kept).toBeUndefined();
  });

  it('has nothing of an empty message', () => expect(read([USER, text('')]).items).toEqual([]));
});
