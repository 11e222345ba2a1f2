import { expect, it } from 'vitest';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { transcriptFor } from '../../../../src/core/conversation/wireTranscript';
import { splitTranscript } from '../../../../src/core/usage/accounting';

const result = (callId: string) => ({
  callId,
  outcome: 'ok' as const,
  parts: [{ type: 'text' as const, text: `answer of ${callId}` }],
});

it('results belong to calls by id, whatever their order', () => {
  const calls = ['a', 'b', 'c'].map((callId) => ({ callId, name: 'x_y', input: {} }));
  const transcript: Transcript = [
    { kind: 'user', text: 'go' },
    { kind: 'assistant', text: '', calls },
    { kind: 'results', results: [result('c'), result('a')] },
  ];
  for (const wire of ['anthropic', 'openai'] as const) {
    const answers = transcriptFor(wire, transcript).find((item) => item.kind === 'results');
    expect(answers?.results.map((answer) => [answer.callId, resultText(answer)])).toEqual([
      ['a', 'answer of a'],
      ['b', expect.stringContaining('No result was kept')],
      ['c', 'answer of c'],
    ]);
  }
});

it('our notes count as overhead, the user’s words as history', () => {
  const { history, searches } = splitTranscript([
    { kind: 'user', text: 'a note of ours', note: true },
    { kind: 'user', text: 'the question' },
  ]);
  expect({ history, searches }).toEqual({ history: 'the question', searches: 'a note of ours' });
});
