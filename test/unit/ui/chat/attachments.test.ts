import { expect, it } from 'vitest';
import { withAttachments } from '../../../../src/ui/chat/attachments';

it('a prompt has what the user attached, without what VS Code tells agents of skills and other agents', async () => {
  const references = [
    { id: 'vscode.customizations.index', value: '<skills>…</skills>' },
    { id: 'note', value: 'of the user' },
  ];
  expect(await withAttachments('add a=2', references)).toBe(
    'add a=2\n\n<attachment name="note">\nof the user\n</attachment>',
  );
});
