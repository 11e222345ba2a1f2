import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readOptions, readQueries, readTools } from '../../../bench/data';
import { makeFolder } from '../../folder';

const folder = makeFolder(afterAll);
const fileWith = (text: string) => {
  const file = join(folder, 'data.jsonl');
  writeFileSync(file, text);
  return file;
};

describe('the measuring commands', () => {
  it('name the file and line of what is wrong', () => {
    const good = '{"server":"a","name":"b"}';
    expect(() => readTools(join(folder, 'none.jsonl'))).toThrow(/none\.jsonl: can't be read/);
    expect(() => readTools(fileWith(`${good}\n{"server"`))).toThrow(/data\.jsonl:2: not JSON/);
    expect(() => readTools(fileWith(`${good}\n\n{"server":"a"}`))).toThrow(/data\.jsonl:3: a tool needs/);
    expect(() => readQueries(fileWith('{"query":"x"}'))).toThrow(/data\.jsonl:1: "gold" or "groups"/);
    expect(() => readTools(fileWith(''))).toThrow(/is empty/);
    expect(() => readOptions(['--nope'], '')).toThrow(/--nope.*Options: --tools/);
  });

  it('take the first of tools with one id, and say so', () => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    expect(
      readTools(fileWith('{"server":"a","name":"b","description":"first"}\n{"server":"a","name":"b"}')),
    ).toMatchObject([{ id: 'a/b', description: 'first' }]);
    expect(said.mock.calls).toEqual([[expect.stringContaining('1 tools are there twice (a/b')]]);
    said.mockRestore();
  });

  it('read files as other programs write them', () => {
    expect(
      readTools(fileWith('\uFEFF{"server":"a","name":"b","description":null,"inputSchema":null}\r\n')),
    ).toMatchObject([{ id: 'a/b', description: '', inputSchema: {} }]);
  });

  it('take gold for one need if there are no groups', () => {
    expect(readQueries(fileWith('{"query":"x","gold":["a/b","a/c"]}'))).toEqual([
      { query: 'x', kind: 'all', groups: [['a/b', 'a/c']] },
    ]);
  });
});
