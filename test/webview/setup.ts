import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

/** The height of what scrolls, and of each row of the grid, since happy-dom has no layout. */
const PANEL_HEIGHT = 600;
const ROW_HEIGHT = 22;

for (const property of ['clientHeight', 'offsetHeight'] as const) {
  vi.spyOn(HTMLElement.prototype, property, 'get').mockImplementation(function (this: HTMLElement) {
    return ['page', 'story', 'turnrows'].includes(this.className) ? PANEL_HEIGHT : ROW_HEIGHT;
  });
}
afterEach(cleanup);
