import type { Standing, ToolView } from '../../src/inspector/protocol';

const LOADINGS: readonly Standing[] = ['eager', 'discovered', 'deferred', 'omitted'];
const COMPARE: { readonly [operator: string]: (a: number, b: number) => boolean } = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
};

/**
 * Reads a filter: `@server`, `is:eager|deferred|discovered|omitted`, `calls:>0` (also `>=`, `<`, `<=`, `=`), and any other word,
 * which is looked for in the id and the title. All of them must hold.
 */
export function filterOf(text: string): (tool: ToolView) => boolean {
  const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(testOf);
  return (tool) => tests.every((test) => test(tool));
}

function testOf(word: string): (tool: ToolView) => boolean {
  if (word.startsWith('@')) return (tool) => tool.server.toLowerCase().includes(word.slice(1));
  const loading = LOADINGS.find((known) => word === `is:${known}`);
  if (loading) return (tool) => tool.loading === loading;
  const calls = /^calls:(>=|<=|>|<|=)?(\d+)$/.exec(word);
  if (calls) {
    const compare = COMPARE[calls[1] ?? '='];
    return (tool) => compare?.(tool.calls, Number(calls[2])) === true;
  }
  return (tool) => tool.id.toLowerCase().includes(word) || tool.title?.toLowerCase().includes(word) === true;
}
