import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fixtureState } from './fixture';
import { openInspector } from './open';
import { fixtureSuggestions } from './suggestionsFixture';

const section = () => within(screen.getByRole('region', { name: 'Suggestions' }));
const item = (title: RegExp) => screen.getByRole('heading', { name: title, level: 4 }).closest('li') as HTMLElement;

describe('a suggestion', () => {
  it('counts in dollars if the screen does, at the session’s mean price', async () => {
    const state = fixtureState({ suggestions: fixtureSuggestions({ dismissed: 0 }) });
    const sent = { value: 1_000, certainty: 'measured' as const };
    const session = { sent, baseline: sent, usd: { sent: 0.002, baseline: 0.01 }, compared: 1 };
    const { user } = openInspector({ ...state, header: { ...state.header, unit: 'usd', session } });
    await user.click(section().getByRole('button', { expanded: false }));
    expect(document.querySelector('.rest')?.textContent).toBe('3 more of this kind.');
    const pin = item(/Pin forge\/list_pipeline_job eager/);
    expect(within(pin).getByText('saves ≈ $0.00223 per turn')).toBeTruthy();
    expect(within(pin).getAllByRole('row', { hidden: true }).at(-1)?.textContent).toBe('Saved+ $0.00223');
  });
});

it('the section is absent if there is nothing to suggest', () => {
  const suggestions = fixtureSuggestions({ items: [], more: 0, done: [], dismissed: 0 });
  openInspector(fixtureState({ suggestions }));
  expect(screen.queryByRole('region', { name: 'Suggestions' })).toBeNull();
});
