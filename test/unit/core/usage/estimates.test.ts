import { expect, it } from 'vitest';
import { estimateAgent } from '../../../../src/core/usage/agentEstimate';
import { toolsInRequest } from '../../../../src/core/usage/toolsInRequest';

const search = { reply: 1, isSearch: true, answer: 200, definitions: 10_000, ours: 500 };
const call = { ...search, reply: 2, isSearch: false, answer: 40 };

it('compares an agent that searched with one that had all definitions', () => {
  // Three requests with 500 tokens of Tool Search. The search's 200 are in the two after it. Without Tool Search, two
  // requests would have had 10,000 tokens of definitions.
  const tokens = estimateAgent([search, call]);
  expect(tokens.sent).toEqual({ value: 1_500 + 400, certainty: 'estimated' });
  expect(tokens.baseline).toEqual({ value: 20_000, certainty: 'estimated' });
  expect(tokens.baseline.value - tokens.sent.value).toBe(18_100);
});

it('counts calls of one reply as one request', () => {
  const second = { ...call, answer: 60 };
  expect(estimateAgent([search, call, second])).toEqual(estimateAgent([search, call]));
  // A search beside a call costs no extra request that an agent with every definition would save.
  expect(estimateAgent([{ ...search, reply: 2 }, call])).toMatchObject({
    sent: { value: 1_000 + 200 },
    baseline: { value: 20_000 },
  });
});

it('credits a search alone with the answer that followed it', () => {
  expect(estimateAgent([search])).toMatchObject({ sent: { value: 1_200 }, baseline: { value: 10_000 } });
  expect(estimateAgent([]).baseline.value).toBe(0);
});

it.each([
  ['server', 17, 0],
  ['client', 17, 0],
  ['local', 17, 0],
  ['bridge', 2, 15],
])('with %s, counts %i tools as in the request', (delivery, inRequest, byCallTool) => {
  const counts = { eager: 2, discovered: 15, deferred: 109 };
  expect(toolsInRequest(counts, delivery)).toEqual({ inRequest, byCallTool, total: 126 });
});
