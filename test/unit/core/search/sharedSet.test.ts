import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { readQueries, readTools } from '../../../bench/data';
import { searchWith } from '../../../bench/engines';
import { quality } from '../../../bench/measures';

/**
 * Public catalogs with labelled queries, which exist beside the repository on some machines. They are too large for the
 * repository.
 */
const FOLDER = join(import.meta.dirname, '../../../../../shared/retrieval');

const own = join(import.meta.dirname, '../../../bench');

describe('the ranking', () => {
  it('does not get worse on our own queries', () => {
    const result = quality(
      readQueries(join(own, 'queries.jsonl')),
      searchWith(new ToolIndex(readTools(join(own, 'tools.jsonl'))), 'bm25'),
    );
    expect(result.n).toBeGreaterThanOrEqual(150);
    expect(result['recall@5']).toBeGreaterThan(0.68);
  });

  it.skipIf(!existsSync(FOLDER)).each([
    ['livemcp', 0.42, 0.72],
    ['azure', 0.84, 0.96],
  ])('does not get worse on %s (skipped without ../shared)', (set, first, five) => {
    const index = new ToolIndex(readTools(join(FOLDER, set, 'tools.jsonl')));
    const queries = readQueries(join(FOLDER, set, 'queries.jsonl')).filter(({ kind }) => kind !== 'task');
    const result = quality(queries, searchWith(index, 'bm25'));
    expect(result['recall@1']).toBeGreaterThan(first);
    expect(result['recall@5']).toBeGreaterThan(five);
  });
});
