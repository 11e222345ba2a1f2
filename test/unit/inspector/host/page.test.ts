import { describe, expect, it } from 'vitest';
import { notePage, page } from '../../../../src/inspector/host/page';

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

describe('a page with nothing to show', () => {
  const note = (why?: string) => {
    const { nonce: _, script: __, waiting: ___, ...parts } = PARTS;
    const link = { command: 'toolsearch.openExportedSession', label: 'Open…' };
    return notePage({ ...parts, heading: '<i>.json can’t be shown', why, link });
  };

  it('says why, with the way on, and runs nothing', () => {
    const html = note('There is no <i>.json any more.');
    expect(html).toContain('There is no &#60;i&#62;.json any more.');
    expect(html).toContain('<a href="command:toolsearch.openExportedSession">Open…</a>');
    expect(html).not.toMatch(/<script|script-src|<i>/);
  });

  it('is silent as long as there is something to wait for', () => {
    expect(note()).not.toContain('<a');
  });
});
