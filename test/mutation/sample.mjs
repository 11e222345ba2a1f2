// Plants some of the mistakes instead of all of them.
import path from 'node:path';
import { MutantCollector } from './node_modules/@stryker-mutator/instrumenter/dist/src/transformers/mutant-collector.js';

const { collect } = MutantCollector.prototype;

/**
 * Makes Stryker plant only the wanted mistakes. Stryker has no option for this, and the code with all mistakes takes
 * gigabytes.
 */
export function plantOnly(isWanted) {
  MutantCollector.prototype.collect = function collectSome(...mistake) {
    const mutant = collect.apply(this, mistake);
    if (!isWanted(mutant.toApiMutant())) mutant.ignoreReason ??= 'It is not wanted now.';
    return mutant;
  };
}

/** Returns a text that is the same for one mistake in each run. */
export function identityOf({ fileName, location, mutatorName, replacement }) {
  const { start, end } = location;
  const place = [path.relative('.', fileName), start.line, start.column, end.line, end.column];
  return [...place, mutatorName, replacement].join(' ');
}
