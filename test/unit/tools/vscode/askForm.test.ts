import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { ToolRun } from '../../../../src/core/ports';
import { type Form, readForm } from '../../../../src/tools/mcp/connection/elicitationForm';
import { askForm } from '../../../../src/tools/vscode/askForm';
import { askSignIn } from '../../../../src/tools/vscode/askSignIn';
import { createStructuredCheck } from '../../../../src/tools/vscode/structuredTools';

const window: { [name: string]: unknown } = vscode.window;
/** Test files share the shim, so it is restored at the end. */
const { showQuickPick, showInputBox } = window;

/** The user's action at each step: chooses by label, several at once, or types; undefined is Escape. */
let steps: (string | readonly string[] | undefined)[];
/** The text on the screen at each step. */
let screen: string[];
const { signal } = new AbortController();

beforeEach(() => {
  steps = [];
  screen = [];
  window.showQuickPick = vi.fn(
    async (items: readonly (string | vscode.QuickPickItem)[], options: vscode.QuickPickOptions) => {
      const labels = items.map((item) => (typeof item === 'string' ? item : item.label));
      screen.push(`${options.title} | ${options.placeHolder} | ${labels.join(', ')}`);
      const step = steps.shift();
      if (Array.isArray(step)) return items.filter((_, index) => step.includes(labels[index]));
      return items[labels.indexOf(String(step))];
    },
  );
  window.showInputBox = vi.fn(async ({ title, prompt, value, validateInput }: vscode.InputBoxOptions) => {
    const step = steps.shift();
    const problem = typeof step === 'string' ? await validateInput?.(step) : undefined;
    screen.push(`${title} | ${prompt} | ${value ?? ''}${problem ? ` | ${problem}` : ''}`);
    return step;
  });
});
afterEach(() => Object.assign(window, { showQuickPick, showInputBox }));

function form(
  properties: { readonly [name: string]: unknown },
  required: readonly string[] = [],
  message = 'Who are you?',
): Form {
  const read = readForm({ message, requestedSchema: { type: 'object', properties, required } });
  if (!read) throw new Error('It can not be asked.');
  return read;
}

const ask = (asked: Form, server = 'a', canEnd = false) => askForm(server, asked, signal, canEnd);

describe('what a server asks', () => {
  it('is asked field by field, with suggestions; mistakes are named', async () => {
    steps = ['Answer', 'Ada', '-1', 'Yes', 'Green', ['Tea', 'Milk']];
    const asked = form(
      {
        name: { type: 'string', title: 'Name', description: 'Your own', default: 'Bob' },
        age: { type: 'integer', minimum: 0 },
        sure: { type: 'boolean', default: true },
        colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'], default: 'g' },
        drinks: { type: 'array', items: { type: 'string', enum: ['Tea', 'Milk', 'Wine'] } },
      },
      ['name', 'colour'],
    );
    expect(await ask(asked, 'people')).toEqual({
      action: 'accept',
      content: { name: 'Ada', age: -1, sure: true, colour: 'g', drinks: ['Tea', 'Milk'] },
    });
    expect(screen).toEqual([
      'MCP server people asks | Who are you? | Answer, Decline',
      'MCP server people asks (1/5) | Name: Your own | Bob',
      'MCP server people asks (2/5) | age |  | It must be 0 or more.',
      'MCP server people asks (3/5) | sure | Yes, No, (no answer)',
      'MCP server people asks (4/5) | colour | Green, Red',
      'MCP server people asks (5/5) | drinks | Tea, Milk, Wine',
    ]);
  });

  it('may be answered with the word “cancel”, typed or chosen', async () => {
    steps = ['Answer', 'cancel', 'cancel'];
    const asked = form({ name: { type: 'string' }, next: { type: 'string', enum: ['go on', 'cancel'] } });
    expect(await ask(asked)).toEqual({ action: 'accept', content: { name: 'cancel', next: 'cancel' } });
  });

  it('can be declined, or cancelled at any step', async () => {
    steps = ['Decline', undefined, 'Answer', undefined];
    expect([await ask(form({})), await ask(form({}))]).toEqual([{ action: 'decline' }, { action: 'cancel' }]);
    expect(await ask(form({ name: { type: 'string' } }))).toEqual({ action: 'cancel' });
    expect(await askForm('a', form({}), AbortSignal.abort(), false)).toEqual({ action: 'cancel' });
  });

  it('can be ended for the whole call after several questions', async () => {
    steps = ['Stop answering questions of this call'];
    expect(await ask(form({}), 'a', true)).toEqual({ action: 'end' });
  });

  it('leaves out what is left empty and may be', async () => {
    steps = ['Answer', '', '', '(no answer)', []];
    const asked = form({
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'boolean' },
      d: { type: 'array', items: { enum: ['x'] } },
    });
    expect(await ask(asked)).toEqual({ action: 'accept', content: {} });
  });

  it('asks again for more or fewer', async () => {
    steps = ['Answer', ['x', 'y'], ['y']];
    const asked = form({ d: { type: 'array', items: { enum: ['x', 'y'] }, maxItems: 1 } }, ['d']);
    expect(await ask(asked)).toEqual({ action: 'accept', content: { d: ['y'] } });
    expect(screen.at(-1)).toContain('Choose 1 or fewer. d');
  });

  it('is plain text in each field; a name can’t add sentences', async () => {
    steps = ['Answer', 'x'];
    const asked = form({
      pin: { type: 'string', title: '$(verified) VS Code', description: 'needs [it](command:quit)' },
    });
    await ask(asked, 'VS Code is asking. The server');
    expect(screen[1]).toBe(
      'MCP server VS␣Code␣is␣asking.␣The␣server asks | $ (verified) VS Code: needs [it] (command:quit) | ',
    );
  });

  it('is text, with no link in it', async () => {
    steps = ['Accept'];
    await ask(form({}, [], 'Click [here](command:workbench.action.quit)\u202e'), 'evil');
    expect(screen[0]).toBe('MCP server evil asks | Click [here] (command:workbench.action.quit) | Accept, Decline');
  });
});

it('counts the scopes that are too many to show', async () => {
  const { showInformationMessage } = window;
  const shown: (string | undefined)[] = [];
  window.showInformationMessage = vi.fn(
    async (_: string, { detail }: vscode.MessageOptions) => void shown.push(detail),
  );
  const page = new URL('https://login.example/authorize');
  const ask = (scopes: readonly string[]) =>
    askSignIn('db', { issuer: 'https://tokens.example', page, scopes }, new AbortController().signal);
  await ask(['read', 'admin']);
  await ask([...Array.from({ length: 300 }, () => 'read'), 'admin']);
  window.showInformationMessage = showInformationMessage;
  expect(shown[0]).toBe(
    'Your browser opens https://login.example.\nhttps://tokens.example issues the access tokens.\nThe server asks for: read, admin.',
  );
  expect(shown[1]).toContain('… and 805 more characters.');
});

const text = (value: string): ToolRun => ({ outcome: 'ok', parts: [{ type: 'text', text: value }] });
const structured: ToolRun = { ...text('{"content":"a"}'), structured: { content: 'a' } };

it('a structured tool that returns text alone failed; its text stays', () => {
  const check = createStructuredCheck();
  expect(check('files/read', text('no such file'))).toEqual(text('no such file'));
  expect(check('files/read', structured)).toBe(structured);
  expect(check('files/read', text('no such file'))).toMatchObject({
    outcome: 'failed',
    parts: [{ text: expect.stringMatching(/^\[Probably an error:/) }, { text: 'no such file' }],
  });
});

it('leaves other tools, refusals and images alone', () => {
  const check = createStructuredCheck();
  check('files/read', structured);
  const image: ToolRun = { outcome: 'ok', parts: [{ type: 'image', mimeType: 'image/png', data: 'a', bytes: 1 }] };
  const refused: ToolRun = { ...text('skipped'), outcome: 'refused' };
  for (const run of [image, refused]) expect(check('files/read', run)).toBe(run);
  const other = text('plain');
  expect(check('files/list', other)).toBe(other);
  const data = text('{\n  "content": "b"\n}');
  expect(check('files/read', data)).toBe(data);
});

it('takes no error for the structured data of a tool', () => {
  const check = createStructuredCheck();
  check('mail/list', { ...text('{"error":"400"}'), structured: { error: '400' } });
  const run = text('Two mails');
  expect(check('mail/list', run)).toBe(run);
});
