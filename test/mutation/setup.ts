import fc from 'fast-check';
import { afterAll } from 'vitest';

// The first counterexample already finds the mistake. Looking for a smaller one can take longer than a test may take.
fc.configureGlobal({ endOnFailure: true });

/** Tells the marks that the file's tests ran. Stryker's code counts them. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest accepts nothing but a pattern.
afterAll(({}, { file }) => {
  const { __stryker__: counted } = globalThis as { __stryker__?: { mutantCoverage?: { static: object } } };
  Object.assign(file.meta, { marks: Object.keys(counted?.mutantCoverage?.static ?? {}) });
});
