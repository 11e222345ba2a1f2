import { expect, it } from 'vitest';
import { groupBy } from '../../src/core/util/groupBy';
import { importsOf, readSource, sourceFiles } from './imports';

const EXPORT =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
/** The files that VS Code, a browser, a worker or another extension loads. Bundlers start with them. */
const ENTRIES = ['src/extension.ts', 'src/sandbox/scriptThread.ts', 'webview/main.tsx'];
/** Stands for all exports of a module that is imported dynamically or as a namespace. */
const WHOLE = '*';

it('every export of src and webview is imported by another file', () => {
  const used = new Map<string, Set<string>>();
  for (const { to, names } of [...importsOf('src'), ...importsOf('webview'), ...importsOf('test')]) {
    for (const name of names) used.set(to, (used.get(to) ?? new Set()).add(name));
  }
  const unused = [...sourceFiles('src'), ...sourceFiles('webview')]
    .filter((file) => !ENTRIES.includes(file))
    .flatMap((file) => {
      const names = used.get(file.replace(/\.tsx?$/, '')) ?? new Set();
      const exported = [...readSource(file).matchAll(EXPORT)].map(([, name = '']) => name);
      return names.has(WHOLE) ? [] : exported.filter((name) => !names.has(name)).map((name) => `${file}: ${name}`);
    });
  expect(unused).toEqual([]);
});

it('no type has the name of another', () => {
  // The props of a React component, and what both wires have alike in their folders.
  const shared = ['Props', 'HitProps', 'RowProps', 'CountBody', 'ErrorContext', 'RequestOptions'];
  const types = [...sourceFiles('src'), ...sourceFiles('webview')].flatMap((file) =>
    [...readSource(file).matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm)].map(
      ([, name = '']) => ({ name, file }),
    ),
  );
  expect(types.length).toBeGreaterThan(500);
  const twice = [...groupBy(types, ({ name }) => name)].filter(
    ([name, all]) => all.length > 1 && !shared.includes(name),
  );
  expect(twice.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)).toEqual([]);
});
