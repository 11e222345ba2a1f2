import fc from 'fast-check';

// The first counterexample already finds the mistake. Looking for a smaller one can take longer than a test may take.
fc.configureGlobal({ endOnFailure: true });
