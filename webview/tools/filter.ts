import MiniSearch from 'minisearch';
import type { Standing, ToolView } from '../../src/inspector/protocol/view';

const LOADINGS: readonly Standing[] = ['eager', 'discovered', 'deferred', 'omitted'];
const COMPARE: { readonly [operator: string]: (a: number, b: number) => boolean } = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
};

type Test = (tool: ToolView) => boolean;

/**
 * Returns the tools that pass a filter: `@server`, `is:eager|deferred|discovered|omitted`, `calls:>0` (also `>=`, `<`,
 * `<=`, `=`), and any other word, which must occur in the id or the title. A tool must pass all parts. If none does,
 * words with typos match too.
 */
export function filterTools(tools: readonly ToolView[], text: string): readonly ToolView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const plain = words.filter((word) => !operatorOf(word));
  const operators = words.flatMap((word) => operatorOf(word) ?? []);
  const passing = tools.filter(all([...operators, ...plain.map(contains)]));
  if (passing.length > 0 || plain.length === 0) return passing;
  const near = new Set(
    typoIndexOf(tools)
      .search(plain.join(' '))
      .map(({ id }) => id as string),
  );
  return tools.filter(all([(tool) => near.has(tool.id), ...operators]));
}

function all(tests: readonly Test[]): Test {
  return (tool) => tests.every((test) => test(tool));
}

function contains(word: string): Test {
  return (tool) => tool.id.toLowerCase().includes(word) || tool.title?.toLowerCase().includes(word) === true;
}

function operatorOf(word: string): Test | undefined {
  if (word.startsWith('@')) return (tool) => tool.server.toLowerCase().includes(word.slice(1));
  const loading = LOADINGS.find((known) => word === `is:${known}`);
  if (loading) return (tool) => tool.loading === loading;
  const calls = /^calls:(>=|<=|>|<|=)?(\d+)$/.exec(word);
  if (!calls) return undefined;
  const compare = COMPARE[calls[1] ?? '='];
  return (tool) => compare?.(tool.calls, Number(calls[2])) === true;
}

const typoIndexes = new WeakMap<readonly ToolView[], MiniSearch<ToolView>>();

/** Returns an index for words with typos. It is built only when needed, since most filters match without it. */
function typoIndexOf(tools: readonly ToolView[]): MiniSearch<ToolView> {
  const known = typoIndexes.get(tools);
  if (known) return known;
  const index = new MiniSearch<ToolView>({
    fields: ['name', 'server', 'title'],
    tokenize: (text) => text.match(/\p{Lu}?[\p{Ll}\p{N}]+|[\p{L}\p{N}]+/gu) ?? [],
    // `fuzzy`: the number of tolerated wrong letters. It is two for longer words, since two swapped neighbours count as
    // two.
    searchOptions: {
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 2 : term.length > 3 ? 1 : false),
    },
  });
  index.addAll(tools);
  typoIndexes.set(tools, index);
  return index;
}
