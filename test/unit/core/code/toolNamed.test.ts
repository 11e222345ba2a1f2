import { expect, it } from 'vitest';
import { toolNamed } from '../../../../src/core/code/toolNamed';
import { makeTool } from '../turn/world';

const [ours, theirs, pay] = [makeTool('a', 'send'), makeTool('b', 'send'), makeTool('bank', 'pay-now')] as const;

it.each([
  ['a_send', ours],
  ['a/send', ours],
  ['pay-now', pay],
  ['bank_pay_now', pay],
  ['Pay_Now', pay],
  ['bank.pay-now', pay],
  ['now', pay],
  ['w', undefined],
  ['end', undefined],
  ['…', undefined],
  ['send', undefined],
  ['none', undefined],
  ['_bank_pay_now', pay],
])('%s names one tool or none', (name, tool) => {
  expect(toolNamed(name, [ours, theirs, pay])).toBe(tool);
});

it('a tool’s full name counts before another server’s own name', () => {
  const other = makeTool('c', ours.modelName);
  expect(toolNamed(ours.modelName, [other, ours])).toBe(ours);
});
