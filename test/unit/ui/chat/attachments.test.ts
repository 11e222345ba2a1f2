import { expect, it } from 'vitest';
import { withAttachments } from '../../../../src/ui/chat/attachments';

it('a prompt has the user’s attachments without VS Code’s agent texts', async () => {
  const references = [
    { id: 'vscode.customizations.index', value: '<skills>…</skills>' },
    { id: 'note', value: 'of the user' },
  ];
  expect(await withAttachments('add a=2', references)).toBe(
    'add a=2\n\n<attachment name="note">\nof the user\n</attachment>',
  );
});
