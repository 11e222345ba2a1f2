import { expect, it } from 'vitest';
import { cutResult } from '../../../../src/core/conversation/cutResult';
import { cut } from '../../../../src/core/util/cut';
import { collectGarbage } from '../../../soak/promises';

it('keeps no more of a long text in memory than its part', () => {
  const long = () => `${Math.random()}`.repeat(100_000);
  const used = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const kept = Array.from({ length: 30 }, () => [
    cut(long(), 100),
    cutResult([{ type: 'text', text: long() }], { maxChars: 100 }),
  ]);
  expect(used() - before).toBeLessThan(20_000_000);
  expect(kept).toHaveLength(30);
});
