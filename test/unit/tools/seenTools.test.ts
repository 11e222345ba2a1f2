import { beforeEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../../src/core/catalog/tool';
import { SeenTools } from '../../../src/tools/seenTools';

const tool = (id: string, description: string, more: Partial<Tool> = {}): Tool => {
  const [server = '', name = ''] = id.split('/');
  return { id, server, name, modelName: name, invokeName: name, description, inputSchema: { type: 'object' }, origin: 'mcp', ...more };
};

let text: string | undefined;
let logged: string[];
const file = {
  read: async () => text,
  write: async (written: string) => {
    text = written;
  },
};
beforeEach(() => {
  text = undefined;
  logged = [];
});

/** A window that begins with what the last one left. */
async function open(cached: readonly Tool[] = []): Promise<SeenTools> {
  const seen = new SeenTools(file, (line) => logged.push(line));
  await seen.load(cached);
  return seen;
}
const ids = (changed: readonly { readonly id: string }[]) => changed.map(({ id }) => id);

describe('what a tool was', () => {
  it('is taken as trusted when it is first seen, and a change of words or arguments is told with both texts', async () => {
    const seen = await open();
    expect(seen.see([tool('a/x', 'Reads'), tool('a/y', 'Writes')])).toEqual([]);
    const [changed] = seen.see([tool('a/x', 'Reads, and sends it away'), tool('a/y', 'Writes')]);
    expect(changed).toMatchObject({ id: 'a/x', server: 'a', name: 'x' });
    expect(changed?.before).toMatch(/^Reads\n\n\{\n/);
    expect(changed?.after).toMatch(/^Reads, and sends it away\n\n/);
    expect(ids(seen.see([tool('a/y', 'Writes', { inputSchema: { type: 'object', properties: { cc: {} } } })]))).toEqual(['a/y']);
  });

  it('is told until it is accepted, or the tool is again what it was', async () => {
    const seen = await open();
    seen.see([tool('a/x', 'one')]);
    expect(ids(seen.see([tool('a/x', 'two')]))).toEqual(['a/x']);
    expect(ids(seen.see([tool('a/x', 'two')]))).toEqual(['a/x']);
    expect(seen.see([tool('a/x', 'one')])).toEqual([]);
    seen.see([tool('a/x', 'two')]);
    seen.accept(['a/x']);
    expect(seen.see([tool('a/x', 'two')])).toEqual([]);
    expect(seen.see([tool('a/x', 'one')])[0]?.before).toContain('two');
  });

  it('is kept from session to session, with its text', async () => {
    const before = await open();
    before.see([tool('a/x', 'one')]);
    await before.flush();
    const next = await open([tool('a/x', 'one')]);
    expect(next.see([tool('a/x', 'two')])[0]?.before).toContain('one');
    await next.flush();
    const third = await open([tool('a/x', 'two')]);
    expect(third.see([tool('a/x', 'two')])[0]?.before).toContain('one');
    third.accept(['a/x']);
    await third.flush();
    expect((await open([tool('a/x', 'two')])).see([tool('a/x', 'two')])).toEqual([]);
  });

  it('is missing where it was not kept, and nothing is told of tools of VS Code', async () => {
    const before = await open();
    before.see([tool('a/x', 'one')]);
    await before.flush();
    const next = await open();
    expect(next.see([tool('a/x', 'two'), tool('vscode/y', 'one', { origin: 'vscode' })])).toMatchObject([{ id: 'a/x', before: undefined }]);
    const same = tool('a/x', 'two');
    expect(ids(next.see([same]))).toEqual(['a/x']);
    expect(ids(next.see([same]))).toEqual(['a/x']);
    await next.flush();
    expect(ids((await open([same])).see([same]))).toEqual(['a/x']);
    expect(next.see([tool('vscode/y', 'two', { origin: 'vscode' })])).toEqual([]);
  });

  it('counts as new where the file is damaged, and the log says so', async () => {
    text = '{"version":1,"tools":7}';
    const seen = await open();
    expect(seen.see([tool('a/x', 'one')])).toEqual([]);
    expect(logged).toHaveLength(1);
  });
});
