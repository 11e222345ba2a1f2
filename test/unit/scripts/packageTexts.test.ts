import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { packagedReadme, thirdPartyNotices } from '../../../scripts/packageTexts.mjs';
import { makeFolder } from '../folder';

/** A file of an installed package with this licence. */
function bundledFile(license: string, texts: { readonly [file: string]: string }): string {
  const root = makeFolder();
  const folder = path.join(root, 'node_modules/@scope/dep');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: '@scope/dep', version: '1.2.3', license }));
  for (const [file, text] of Object.entries(texts)) writeFileSync(path.join(folder, file), text);
  return path.join(folder, 'lib/index.js');
}

describe('ThirdPartyNotices.txt', () => {
  it('has the licence files of each bundled package once', () => {
    const text = thirdPartyNotices([
      bundledFile('Apache-2.0', { LICENSE: 'Apache License', NOTICE: 'By its authors' }),
      'node_modules/react/index.js',
      'node_modules/react/cjs/react.production.js',
      'src/extension.ts',
    ]);
    expect(text).toMatch(/- @scope\/dep 1\.2\.3 \(Apache-2\.0\)\n- react [\d.]+ \(MIT\)\n\n/);
    expect(text).toMatch(/Apache License\n\nBy its authors/);
    expect(text.match(/Copyright \(c\) Meta Platforms/g)).toHaveLength(1);
  });

  it('has packages whose code is inside another’s file', () => {
    const file = bundledFile('MIT', { LICENSE: 'MIT License', 'bundle.mjs': '' });
    const folder = path.dirname(path.dirname(file));
    const installed = path.resolve(folder, '../..');
    for (const name of ['type', 'parser']) {
      mkdirSync(path.join(installed, name));
      writeFileSync(
        path.join(installed, name, 'package.json'),
        JSON.stringify({ name, version: '2.0.0', license: 'MIT' }),
      );
      writeFileSync(path.join(installed, name, 'LICENSE'), `By the authors of ${name}`);
    }
    writeFileSync(
      path.join(folder, 'bundle.mjs'),
      '//#region ../node_modules/.pnpm/type@1/node_modules/type/index.js\n',
    );
    mkdirSync(path.join(folder, '_vendor/parser'), { recursive: true });
    writeFileSync(path.join(folder, '_vendor/parser/parser.mjs'), '');
    const text = thirdPartyNotices([path.join(folder, 'bundle.mjs'), path.join(folder, '_vendor/parser/parser.mjs')]);
    expect(text).toContain('- type, inside @scope/dep 1.2.3 (MIT)');
    expect(text).toContain('- parser, inside @scope/dep 1.2.3 (MIT)');
    expect(text).toContain('By the authors of parser');
  });

  it('names the engine in quickjs.wasm', () => {
    expect(thirdPartyNotices(['node_modules/quickjs-wasi/quickjs.wasm'])).toMatch(/QuickJS-NG[\s\S]+Fabrice Bellard/);
  });

  it('is refused for a package without a licence file', () => {
    expect(() => thirdPartyNotices([bundledFile('MIT', {})])).toThrow('@scope/dep 1.2.3 has no licence file.');
  });

  it('is refused for a licence that is not on the list', () => {
    expect(() => thirdPartyNotices([bundledFile('GPL-3.0', { LICENSE: 'GPL' })])).toThrow(
      '@scope/dep 1.2.3 has the licence GPL-3.0, which is not on the list',
    );
  });
});

describe('the page of the extension', () => {
  const README = [
    '# Tool Search',
    '![tour](media/tour.png)',
    '<!--no repository',
    'In words',
    '-->',
    '',
    'See [how](#how-it-works), [nothing](#nothing), [docs](docs/a.md) and [VS Code](https://code.visualstudio.com).',
    '<!--clone-->',
    'npm start',
    '<!--/clone-->',
    '<!--installed',
    'Add servers',
    '-->',
    '## How it works<!--repository--> (see the pictures)<!--/repository-->',
  ].join('\n');

  it('without a repository has words for pictures, and no dead links', () => {
    expect(packagedReadme(README, {})).toBe(
      [
        '# Tool Search',
        '',
        'In words',
        '',
        'See [how](#how-it-works), nothing, docs and [VS Code](https://code.visualstudio.com).',
        'Add servers',
        '## How it works',
      ].join('\n'),
    );
  });

  it('with one keeps pictures, and tells readers what to do once installed', () => {
    const page = packagedReadme(README, { repository: 'github:a/b' });
    expect(page).toContain('![tour](media/tour.png)');
    expect(page).toContain(').\nAdd servers\n## How it works');
  });
});
