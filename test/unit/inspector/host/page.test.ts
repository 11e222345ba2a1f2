import { describe, expect, it } from 'vitest';
import { page } from '../../../../src/inspector/host/page';

const PARTS = {
  cspSource: 'https://*.example.net',
  nonce: 'n0nce',
  script: 'https://a.example.net/inspector.js',
  styles: ['https://a.example.net/inspector.css'],
  lang: 'en',
  title: 'Tool "Search" <b>',
  waiting: 'Opening…',
};

describe('the webview’s page', () => {
  it('allows our script by its nonce and nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page(PARTS))?.[1];
    expect(policy).toBe(
      "default-src 'none'; style-src https://*.example.net; font-src https://*.example.net; script-src 'nonce-n0nce'",
    );
  });

  it('has neither inline scripts nor inline styles', () => {
    const html = page(PARTS);
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
  });

  it('escapes what it is given', () => {
    expect(page(PARTS)).not.toContain('<b>');
  });
});
