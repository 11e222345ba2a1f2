import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ToolDetail } from '../../src/inspector/protocol/view';
import { fixtureDetail } from './fixture';
import { openInspector } from './open';

const ID = 'forge/list_issue';
const NAV = { section: 'tools', openTools: [ID], filter: ID };
const argument = (name: string, type: string, change: Partial<ToolDetail['args'][number]> = {}) => ({
  name,
  type,
  required: false,
  description: '',
  ...change,
});
const DETAIL: ToolDetail = {
  ...fixtureDetail(ID),
  id: ID,
  args: [
    argument('project', 'string', { required: true }),
    argument('page', 'integer'),
    argument('archived', 'boolean'),
    argument('state', 'enum', { values: ['open', 'closed'] }),
    argument('labels', 'string[]'),
  ],
};

async function openForm() {
  const opened = openInspector(undefined, NAV);
  opened.receive({ type: 'tool', request: 1, detail: DETAIL });
  await opened.user.click(screen.getByText('Try'));
  return opened;
}

it('runs a tool with its form’s values, each by its type', async () => {
  const { user, posted, receive } = await openForm();
  await user.type(screen.getByLabelText(/^project/), 'web/app');
  await user.click(screen.getAllByRole('radio', { name: 'Defer' }).at(-1) as Element);
  await user.type(screen.getByLabelText(/^page/), '2{Control>}z{/Control}');
  expect(posted.filter(({ type }) => type === 'pin')).toHaveLength(1);
  await user.selectOptions(screen.getByLabelText(/^archived/), 'true');
  await user.selectOptions(screen.getByLabelText(/^state/), 'closed');
  await user.click(screen.getByLabelText(/^labels/));
  await user.paste('["bug"]');
  await user.click(screen.getByRole('button', { name: 'Run' }));
  const input = { project: 'web/app', page: 2, archived: true, state: 'closed', labels: ['bug'] };
  expect(posted.at(-1)).toEqual({ type: 'tryTool', id: ID, input });
  expect(screen.getByRole('button', { name: 'Running…' })).toBeTruthy();
  receive({ type: 'tried', request: 2, id: ID, run: { outcome: 'ok', output: '<b>14 issues</b>' } });
  expect(screen.getByText('<b>14 issues</b>')).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Result succeeded<b>14 issues</b>');
  expect(screen.getByRole('button', { name: 'Run' })).toBeTruthy();
});

it('says what is missing or no JSON, and runs nothing', async () => {
  const { user, posted } = await openForm();
  await user.click(screen.getByRole('button', { name: 'Run' }));
  expect(screen.getByText('project is required.')).toBeTruthy();
  await user.type(screen.getByLabelText(/^project/), 'a');
  await user.type(screen.getByLabelText(/^page/), 'two');
  await user.click(screen.getByRole('button', { name: 'Run' }));
  expect(screen.getByText(/^page: /)).toBeTruthy();
  expect(posted.filter(({ type }) => type === 'tryTool')).toEqual([]);
  await user.clear(screen.getByLabelText(/^page/));
  await user.click(screen.getByRole('button', { name: 'Run' }));
  expect(posted.at(-1)).toMatchObject({ type: 'tryTool' });
  expect(screen.queryByText(/^page: /)).toBeNull();
});
