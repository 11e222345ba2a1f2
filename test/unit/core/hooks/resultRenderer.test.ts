import { describe, expect, it, vi } from 'vitest';
import { ResultRenderers } from '../../../../src/core/hooks/resultRenderer';

const never = new AbortController().signal;

describe('result renderers from outside', () => {
  it('word the answer, until they are removed', async () => {
    const renderers = new ResultRenderers();
    const remove = renderers.register('plain', (answer) => `words: ${answer.message}`);
    expect(await renderers.render(() => ({ message: 'hi' }), never)).toEqual({ text: 'words: hi' });
    remove();
    expect(await renderers.render(() => ({ message: 'hi' }), never)).toEqual({});
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('oops');
      },
      /oops/,
    ],
    ['rejects', () => Promise.reject(new Error('later')), /later/],
    ['returns no text', () => 5 as unknown as string, /no text/],
  ])('that %s are reported, and the plain result stays', async (_, render, message) => {
    const renderers = new ResultRenderers();
    renderers.register('bad', render);
    const { text, warning } = await renderers.render(() => ({}), never);
    expect(text).toBeUndefined();
    expect(warning).toMatch(message);
  });

  it('that hang are given up and get a signal to stop', async () => {
    vi.useFakeTimers();
    const renderers = new ResultRenderers();
    let stopped = false;
    renderers.register(
      'slow',
      (_, signal) =>
        new Promise(() =>
          signal.addEventListener('abort', () => {
            stopped = true;
          }),
        ),
    );
    const rendering = renderers.render(() => ({}), never);
    await vi.advanceTimersByTimeAsync(2_000);
    vi.useRealTimers();
    expect((await rendering).warning).toMatch(/no answer within 2 s/);
    expect(stopped).toBe(true);
  });

  it('are removed by their own removal alone', async () => {
    const renderers = new ResultRenderers();
    const remove = renderers.register('one', () => 'one');
    remove();
    renderers.register('two', () => 'two');
    remove();
    expect(await renderers.render(() => ({}), never)).toEqual({ text: 'two' });
  });

  it('can’t be two', () => {
    const renderers = new ResultRenderers();
    renderers.register('one', () => '');
    expect(() => renderers.register('two', () => '')).toThrow(/"one"/);
  });
});
