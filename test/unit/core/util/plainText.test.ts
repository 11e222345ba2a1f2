import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codeName,
  escapeMarkdown,
  fencedJson,
  oneLine,
  plainLabel,
  plainMessage,
  plainName,
  visibleText,
} from '../../../../src/core/util/plainText';
import { anyText } from '../../anyText';
import { holds } from '../../property';

const any = anyText();

it.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]8;;command:evil\u0007click\u001b]8;;\u0007', 'click'],
  ['user\u202egnp.exe', 'usergnp.exe'],
  ['a\u200bb\ufeffc\u00add', 'abcd'],
  ['hi\u{e0069}\u{e0067}\u{e006e}', 'hi'],
  ['smile 😊\u{e0157}\u{e0101}\ufe03, \u3164\u115fhidden\u2062', 'smile 😊, hidden'],
  ['a\u0000b\u0007c', 'abc'],
  ['kept:\tone\ntwo', 'kept:\tone\ntwo'],
  ['👩\u200d💻 ❤\ufe0f می\u200cخواهم', '👩\u200d💻 ❤\ufe0f می\u200cخواهم'],
])('visibleText of %j is %j', (text, seen) => expect(visibleText(text)).toBe(seen));

it('visibleText holds nothing that cannot be seen, whatever comes', () => {
  holds([any], (text) => {
    expect(visibleText(text).replace(/[\t\n\r]/g, '')).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    expect(oneLine(text)).not.toMatch(/[\n\r\t]/);
  });
});

describe('text for places that read markup', () => {
  const hostile = [
    '[x](command:evil)',
    '<img src=x onerror=alert(1)>',
    '**bold**',
    '$(trash) ok',
    'https://evil.example',
    'a@b.example',
    '&#x202e;',
    '# head',
    '![i](http://x)',
    '`code`',
  ];

  it('has no character of Markdown without its backslash', () => {
    holds([fc.oneof(any, fc.constantFrom(...hostile))], (text) => {
      expect(escapeMarkdown(text).replace(/\\[\\`*_{}[\]()#+\-.!|<>~$:@&=^]/g, '')).not.toMatch(
        /[\\`*_{}[\]()#+\-.!|<>~$:@&=^]/,
      );
    });
  });

  it('has no icon in a label and no link in a message', () => {
    holds([fc.oneof(any, fc.constantFrom(...hostile))], (text) => {
      expect(plainLabel(text)).not.toContain('$(');
      expect(plainMessage(text)).not.toMatch(/\]\(/);
    });
  });

  it('reads as it was written', () => {
    expect(escapeMarkdown('say [hi](command:x)').replaceAll('\\', '')).toBe('say [hi](command:x)');
    expect(plainLabel('$(trash) ok')).toBe('$ (trash) ok');
    expect(plainMessage('[a](command:b)')).toBe('[a] (command:b)');
  });
});

describe('arguments in a confirmation', () => {
  it('stay within their block, and show what would hide', () => {
    expect(fencedJson({ a: '```\n[x](command:y)' }, 1_000)).toBe('````json\n{\n  "a": "```\\n[x](command:y)"\n}\n````');
    expect(fencedJson({ a: 'x\u202ey\u{e0041}' }, 1_000)).toContain('"x\\u{202e}y\\u{e0041}"');
    expect(fencedJson({ a: 'x'.repeat(100) }, 20)).toContain('… 93 more characters');
    const exact = JSON.stringify({ a: 'x'.repeat(200) }, undefined, 2);
    expect(fencedJson({ a: 'x'.repeat(200) }, exact.length)).toContain(exact);
    expect(fencedJson({ a: 'x'.repeat(200) }, exact.length - 1)).not.toContain(exact);
    const long = fencedJson({ text: 'x'.repeat(1_000_000), also: { delete: true } }, 5_000);
    expect(long).toContain('… 999500 more characters",');
    expect(long).toContain('"delete": true');
    expect(long.length).toBeLessThan(1_000);
  });

  it('can never close it, whatever comes', () => {
    holds([fc.jsonValue(), fc.integer({ min: 0, max: 50 })], (value, max) => {
      const [head = '', ...lines] = fencedJson(value, max).split('\n');
      const fence = head.replace('json', '');
      expect(lines.at(-1)).toBe(fence);
      expect(lines.slice(0, -1).some((line) => line.includes(fence))).toBe(false);
    });
  });
});

describe('a name in a confirmation', () => {
  it('is shown as it is, as code', () => {
    expect(codeName('delete_all__files*')).toBe('`delete_all__files*`');
    expect(codeName('Allow\u2800this\u3000and all others')).toBe('`Allow␣this␣and␣all␣others`');
    expect(codeName('\u3164')).toBe('`␣`');
    expect(codeName('My Files 2')).toBe('`My Files 2`');
    expect(codeName('r\u0435ad_file')).toBe('`r\\u{435}ad_file`');
    expect(codeName('диск/читать_all')).toBe('`диск/читать_all`');
    expect(codeName('\u0441')).toBe('`\u0441`');
    expect(codeName('[x](command:y)')).toBe('`[x](command:y)`');
    expect(codeName('a`b')).toBe('``a`b``');
    expect(codeName('`')).toBe('`` ` ``');
  });

  it('can not read like a sentence, nor hide anything', () => {
    expect(codeName('x. It only reads.\nPress Allow')).toBe('`x.␣It␣only␣reads.␣Press␣Allow`');
    expect(codeName('a\u202eb\u200b')).toBe('`ab`');
    expect(codeName('x'.repeat(1_000))).toHaveLength(130);
  });

  it('can never end its code, whatever it is', () => {
    holds([fc.array(fc.constantFrom('`', '``', 'a', ' ', '\n', '*'))], (parts) => {
      const shown = codeName(parts.join(''));
      const fence = '`'.repeat(/^`*/.exec(shown)?.[0].length ?? 0);
      const inner = shown.slice(fence.length, -fence.length);
      expect(shown.endsWith(fence)).toBe(true);
      expect(inner.includes(fence)).toBe(false);
      expect(inner).not.toMatch(/\n/);
    });
  });
});

it.each([
  ['\u0440\u0430\u0443', '\\u{440}\\u{430}\\u{443}'],
  // Small capitals, letters in circles and squares, Coptic, and Cyrillic mixed with Armenian.
  ['ᴘᴀʏ', '\\u{1d18}\\u{1d00}\\u{28f}'],
  ['ⓟay', '\\u{24df}ay'],
  ['🄿ay', '\\u{1f13f}ay'],
  ['ⲥⲟⲣ', '\\u{2ca5}\\u{2c9f}\\u{2ca3}'],
  ['ѕҽոԁ', '\\u{455}\\u{4bd}\\u{578}\\u{501}'],
  ['Überweisung™_№1', 'Überweisung™_№1'],
  ['half_½', 'half_½'],
  ['\u03a1\u0391\u03a5', '\\u{3a1}\\u{391}\\u{3a5}'],
  ['\u13a0\u13a1', '\\u{13a0}\\u{13a1}'],
  ['\uff50\uff41\uff59', '\\u{ff50}\\u{ff41}\\u{ff59}'],
  ['\u{1d429}\u{1d41a}\u{1d432}', '\\u{1d429}\\u{1d41a}\\u{1d432}'],
  ['\u2102ode', '\\u{2102}ode'],
  ['поиск_с_фильтром', 'поиск_с_фильтром'],
  ['αναζήτηση', 'αναζήτηση'],
  ['検索_café', '検索_café'],
  ['x'.repeat(200), `${'x'.repeat(99)}…`],
])('a name that looks like another, %s, is shown as %s', (name, shown) => expect(plainName(name)).toBe(shown));
