import { describe, expect, it } from 'vitest';
import { withAttachments } from '../../../../src/ui/chat/attachments';
import { readName, readPin } from '../../../../src/ui/chat/pinArgument';

it('a prompt has the user’s attachments without VS Code’s agent texts', async () => {
  const references = [
    { id: 'vscode.customizations.index', value: '<skills>…</skills>' },
    { id: 'note', value: 'of the user' },
  ];
  expect(await withAttachments('add a=2', references)).toBe(
    'add a=2\n\n<attachment name="note">\nof the user\n</attachment>',
  );
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
  ])('%s', (argument, name, how) => {
    expect(readPin(argument)).toEqual({ name, how });
  });

  it('/unpin takes the whole as a name', () => {
    expect(readName("'my files'")).toBe('my files');
  });
});
