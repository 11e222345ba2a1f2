import { expect, it } from 'vitest';
import { withinOrigin } from '../../../../src/core/util/withinOrigin';

/** Sends a request to an origin that answers `/N` with a redirect to `to`. Returns the requests and how it ended. */
async function send(status: number, to: (path: string) => string | null, init: RequestInit = {}) {
  const sent: (readonly [string, unknown])[] = [];
  const fetcher = withinOrigin(
    async (input, { body } = {}) => {
      const { href, pathname } = new URL(String(input));
      sent.push([href, body]);
      const location = to(pathname);
      const headers = new Headers(location === null ? {} : { location });
      return location === '' ? new Response('done') : new Response(null, { status, headers });
    },
    (problem) => new Error(problem),
  );
  const ended = await fetcher('https://one.example/1', init).then(
    (response) => response.text(),
    ({ message }: Error) => message,
  );
  return { sent, ended };
}

const once = (to: string | null) => (path: string) => (path === '/1' ? to : '');

it.each([307, 308])('a redirect by %i within the origin repeats the body', async (status) => {
  const { sent, ended } = await send(status, once('/2'), { method: 'POST', body: 'secret' });
  expect(sent).toEqual([
    ['https://one.example/1', 'secret'],
    ['https://one.example/2', 'secret'],
  ]);
  expect(ended).toBe('done');
});

it.each([301, 302, 303])('a redirect by %i is followed without a body alone', async (status) => {
  expect((await send(status, once('/2'))).ended).toBe('done');
  const { sent, ended } = await send(status, once('/2'), { method: 'POST', body: 'secret' });
  expect(sent).toHaveLength(1);
  expect(ended).toBe('https://one.example redirects to https://one.example/2.');
});

it.each([
  ['https://two.example/1', 'https://two.example'],
  ['http://one.example/1', 'http://one.example'],
  ['https://one.example:8443/1', 'https://one.example:8443'],
  ['//two.example/1', 'https://two.example'],
  ['https://me:pass@one.example/2', 'https://one.example'],
  ['data:text/plain,x', 'an address of data:'],
  ['file:///etc/passwd', 'an address of file:'],
  ['https://', 'another address'],
  [null, 'another address'],
])('a redirect to %s is refused', async (to, named) => {
  const { sent, ended } = await send(307, once(to));
  expect(sent).toHaveLength(1);
  expect(ended).toBe(`https://one.example redirects to ${named}.`);
});

it('a redirect within the origin and from there to another is refused', async () => {
  const { sent, ended } = await send(307, (path) => (path === '/1' ? '/2' : 'https://two.example/'));
  expect([sent.length, ended]).toEqual([2, 'https://one.example redirects to https://two.example.']);
});

it('five redirects are followed, no more', async () => {
  const next = (last: number) => (path: string) => (path === `/${last}` ? '' : `/${Number(path.slice(1)) + 1}`);
  expect((await send(307, next(6))).ended).toBe('done');
  expect((await send(307, next(7))).ended).toContain('again and again');
});
