import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../webview/timeline/highlight';
import { FIXTURE_STATES } from './fixture';
import { openInspector } from './open';

const scripts = () => FIXTURE_STATES.scripts?.();

it('a script in a story shows 20,000 characters and 200 calls', async () => {
  const { user } = openInspector(scripts());
  await user.click(screen.getByRole('button', { name: /Ran Read it all/ }));
  expect(document.querySelector('.script-code')?.textContent?.length).toBeGreaterThan(19_000);
  expect(screen.getByText('×200')).toBeTruthy();
  // Both boxes scroll, by keyboard too.
  await user.tab();
  for (const name of ['Code', 'Answer to the model']) {
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('region', { name }));
  }
});

describe('the colours of code', () => {
  it('tell comments, strings, numbers, keywords and calls apart, and lose nothing', () => {
    const code = 'const a = await f("x\\"y", 12); // done\n/* open';
    const pieces = piecesOf(code);
    expect(pieces.map(({ text }) => text).join('')).toBe(code);
    expect(pieces.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind}:${text}`)).toEqual([
      'keyword:const',
      'keyword:await',
      'call:f',
      'string:"x\\"y"',
      'number:12',
      'comment:// done',
      'comment:/* open',
    ]);
  });

  it('take linear time, whatever the code', () => {
    for (const code of ['/*'.repeat(50_000), '"'.repeat(100_000), '`${'.repeat(40_000), '\\'.repeat(100_000)])
      expect(
        piecesOf(code)
          .map(({ text }) => text)
          .join(''),
      ).toBe(code);
  });
});
