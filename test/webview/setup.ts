import { cleanup } from '@testing-library/react';
import * as React from 'react';
import { afterEach, vi } from 'vitest';

/** The height of what scrolls, and of each row of the grid, since happy-dom has no layout. */
const PANEL_HEIGHT = 600;
const ROW_HEIGHT = 22;

for (const property of ['clientHeight', 'offsetHeight'] as const) {
  vi.spyOn(HTMLElement.prototype, property, 'get').mockImplementation(function (this: HTMLElement) {
    return ['page', 'story', 'turnrows'].includes(this.className) ? PANEL_HEIGHT : ROW_HEIGHT;
  });
}
// React notes where each element is made, up to a number that it sets back. That takes long.
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set() {} });
afterEach(cleanup);
