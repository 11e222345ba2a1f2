// Plants a random sample of the mistakes instead of all of them.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { MutantCollector } from './node_modules/@stryker-mutator/instrumenter/dist/src/transformers/mutant-collector.js';

/**
 * From now on, Stryker plants the given percentage of the mistakes. Whether it plants one depends only on that mistake
 * and the seed. It has no option for this, and the code with all of them takes gigabytes.
 */
export function plantOnly(percent, seed) {
  const { collect } = MutantCollector.prototype;
  MutantCollector.prototype.collect = function collectSome(...mistake) {
    const mutant = collect.apply(this, mistake);
    const { fileName, location, mutatorName, replacement } = mutant.toApiMutant();
    const { start, end } = location;
    const place = [path.relative('.', fileName), start.line, start.column, end.line, end.column];
    const hash = createHash('sha256')
      .update([seed, ...place, mutatorName, replacement].join(' '))
      .digest();
    if ((100 * hash.readUInt32BE()) / 2 ** 32 >= percent) mutant.ignoreReason ??= 'It is not in the sample.';
    return mutant;
  };
}
