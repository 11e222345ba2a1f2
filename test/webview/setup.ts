import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

/** happy-dom lays nothing out: the panel is this high, and so is each row of the grid. */
const PANEL_HEIGHT = 600;
const ROW_HEIGHT = 22;

for (const property of ['clientHeight', 'offsetHeight'] as const) {
  vi.spyOn(HTMLElement.prototype, property, 'get').mockImplementation(function (this: HTMLElement) {
    return this.className === 'page' ? PANEL_HEIGHT : ROW_HEIGHT;
  });
}
afterEach(cleanup);
