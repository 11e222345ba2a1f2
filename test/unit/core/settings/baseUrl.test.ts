import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../../../src/core/settings/baseUrl';

describe('the address of a service', () => {
  it.each([
    ['https://api.openai.com/v1', '/v1', 'https://api.openai.com/v1'],
    ['http://127.0.0.1:4000', '/v1', 'http://127.0.0.1:4000/v1'],
    ['https://gateway.example.com/openai/', '/v1', 'https://gateway.example.com/openai'],
    ['https://api.anthropic.com/', '', 'https://api.anthropic.com'],
    [' https://gateway.example.com/claude/v1 ', '', 'https://gateway.example.com/claude'],
  ] as const)('%s is read for %s', (value, path, url) => {
    expect(parseBaseUrl(value, path, { insecure: false })).toEqual({ ok: true, url });
  });

  it.each(['api.anthropic.com', 'file:///etc/passwd', 'https://user:secret@host', 'https://host/?key=1', ''])(
    '%s is refused',
    (value) => expect(parseBaseUrl(value, '', { insecure: true }).ok).toBe(false),
  );

  it.each([
    'http://192.168.1.4:4000',
    'http://127.0.0.1.nip.io',
    'http://localhost.evil.com',
    'http://localhost.:4000',
    'http://0.0.0.0:4000',
    'http://[::]:4000',
    'http://[::ffff:192.168.1.4]',
    'HTTP://gateway.example.com',
    ' http://gateway.example.com ',
    'http:\\\\gateway.example.com',
    'http://127.0.0.1@gateway.example.com',
  ])('is refused as plain http on another machine: %s', (value) => {
    expect(parseBaseUrl(value, '', { insecure: false }).ok).toBe(false);
  });

  it.each(['http://127.1:4000', 'http://[::1]:4000', 'HTTP://LOCALHOST:4000', 'http://2130706433'])(
    'is this machine: %s',
    (value) => expect(parseBaseUrl(value, '', { insecure: false })).toMatchObject({ ok: true }),
  );
});
