import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../webview/timeline/highlight';
import { FIXTURE_STATES } from './fixture';
import { openInspector } from './open';

const scripts = () => FIXTURE_STATES.scripts?.();

describe('a script in a story', () => {
  it('is one row: title, calls, servers in order, what no model read', () => {
    openInspector(scripts());
    expect(screen.getByText('Oldest open issue').closest('.body')?.textContent).toMatch(
      /^Ran Oldest open issue 25 calls, 1 failed · forge · up to ≈\s13,1\d\d tokens of results were not sent to the model$/,
    );
    // A script's calls have no rows of their own, but are counted.
    expect(screen.getByText('2 of 228 calls failed.')).toBeTruthy();
  });

  it('opens by keyboard to its code, answer and calls', async () => {
    const { user, posted } = openInspector(scripts());
    const toggle = screen.getByRole('button', { name: /Ran Oldest open issue/ });
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    toggle.focus();
    await user.keyboard('{Enter}');
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    const row = within(toggle.closest('.body') as HTMLElement);
    expect(row.getByText('"open"').className).toBe('string');
    expect(row.getByText('{"open":7,"oldest":"2029-11-02"}')).toBeTruthy();
    expect(row.getByRole('list').textContent).toMatch(
      /^forge\/list_issue .*forge\/get_issue ×24 1 failed .*There is no such record\.$/,
    );
    await user.click(row.getByRole('button', { name: 'Copy the code' }));
    expect(posted.at(-1)).toMatchObject({
      type: 'copy',
      text: expect.stringContaining('Which open issues are oldest?'),
    });
    await user.click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
  });

  it('marks the line that failed, and says so', async () => {
    const { user } = openInspector(scripts());
    await user.click(screen.getByRole('button', { name: /Ran Close the old ones/ }));
    expect(document.querySelectorAll('code.failed')).toHaveLength(1);
    expect(document.querySelector('code.failed')?.textContent).toContain(
      'await tools.forge_update_issue({ number, state: "closed" }); (failed here)',
    );
  });

  it('shows 20,000 characters and 200 calls', async () => {
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
