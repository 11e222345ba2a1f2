import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../../../src/core/settings/baseUrl';
import { parseSettings } from '../../../../src/core/settings/parseSettings';

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

  it('is refused if the key would travel unencrypted, unless allowed', () => {
    const raw = { 'anthropic.baseUrl': 'http://gateway.example.com', 'openai.baseUrl': 'http://localhost:4000' };
    const refused = parseSettings(raw, { strategies: [] });
    expect([refused.settings.anthropicBaseUrl, refused.settings.openaiBaseUrl]).toEqual([
      undefined,
      'http://localhost:4000/v1',
    ]);
    expect(refused.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('toolsearch.allowInsecureBaseUrl'),
    ]);
    const allowed = parseSettings({ ...raw, allowInsecureBaseUrl: true }, { strategies: [] });
    expect(allowed.settings.anthropicBaseUrl).toBe('http://gateway.example.com');
    expect(allowed.diagnostics).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('unencrypted') },
    ]);
  });

  it.each(['api.anthropic.com', 'file:///etc/passwd', 'https://user:secret@host', 'https://host/?key=1', ''])(
    '%s is refused',
    (value) => expect(parseBaseUrl(value, '', { insecure: true }).ok).toBe(false),
  );

  it.each([
    'sk-ant-planted-key',
    'https://planted-key@gateway.example.com',
    'https://me:planted-key@gateway.example.com/v1',
    'https://gateway.example.com/?key=planted-key',
    'https://gateway.example.com/#planted-key',
    'data:planted-key',
  ])('is not shown with what may be a key in it: %s', (value) => {
    const { diagnostics } = parseSettings({ 'anthropic.baseUrl': value }, { strategies: [] });
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.message).not.toContain('planted-key');
  });

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

  it('has no fallback: questions for a gateway go nowhere else', () => {
    const { settings, diagnostics } = parseSettings(
      { 'anthropic.baseUrl': 'nonsense', 'openai.baseUrl': 7 },
      { strategies: [] },
    );
    expect([settings.anthropicBaseUrl, settings.openaiBaseUrl]).toEqual([undefined, undefined]);
    expect(diagnostics.map(({ source }) => source)).toEqual([
      'toolsearch.anthropic.baseUrl',
      'toolsearch.openai.baseUrl',
    ]);
    expect(diagnostics[0]?.message).toMatch(
      /must be a URL such as .* Until you correct it, its models can’t be used\.$/,
    );
  });
});
