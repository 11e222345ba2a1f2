import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignModelNames, RESERVED_NAMES } from '../../../../src/core/catalog/modelNames';
import { plainId, splitId, toolId } from '../../../../src/core/catalog/tool';
import { permissionOf } from '../../../../src/core/code/callPermission';
import { DEFAULT_SETTINGS } from '../../../../src/core/settings/settings';
import { holds } from '../../property';

const tool = (server: string, name: string) => ({ id: toolId(server, name), server, name });
const nameOf = (tools: ReturnType<typeof tool>[], id: string) => assignModelNames(tools).names.get(id);

const anyTool = fc
  .tuple(
    fc.oneof(fc.constantFrom('a', 'a_b', 'search', 'call', 'x'.repeat(60)), fc.string({ unit: 'grapheme' })),
    fc.oneof(fc.constantFrom('b', 'b_c', 'c', 'tools', 'tool', 'y'.repeat(40)), fc.string({ unit: 'grapheme' })),
  )
  .map(([server, name]) => tool(server, name));
const anyTools = fc.uniqueArray(anyTool, { selector: (each) => each.id, maxLength: 40 });

describe('assignModelNames', () => {
  it.each([
    ['github', 'get_issue', 'github_get_issue'],
    ['my server', 'get.wetter→', 'my_server_get_wetter_'],
    ['mongo-db', 'delete-many', 'mongo_db_delete_many'],
  ])('joins %s and %s, without what a name may not hold', (server, name, joined) => {
    expect(nameOf([tool(server, name)], toolId(server, name))).toBe(joined);
  });

  it('ends a cut name in a hash', () => {
    const long = tool('server', `${'long_'.repeat(20)}name`);
    expect(nameOf([long], long.id)).toMatch(/^server_long_.*_[0-9a-f]{8}$/);
    expect(nameOf([long], long.id)).toHaveLength(64);
  });

  it('gives names that scripts write in the same way their own hash', () => {
    const { names } = assignModelNames([tool('odd', 'a.name'), tool('odd', 'a-name'), tool('odd-a', 'name')]);
    expect([...names.values()].filter((name) => /^odd_a_name_[0-9a-f]{8}$/.test(name))).toHaveLength(3);
  });

  it('gives each of two tools with one name its own hash', () => {
    const { names, diagnostics } = assignModelNames([tool('a_b', 'c'), tool('a', 'b_c')]);
    expect([...names.values()].every((name) => /^a_b_c_[0-9a-f]{8}$/.test(name))).toBe(true);
    expect(new Set(names.values()).size).toBe(2);
    const third = tool('a', `${names.get('a/b_c')}`.slice(2));
    expect(new Set(assignModelNames([tool('a_b', 'c'), tool('a', 'b_c'), third]).names.values()).size).toBe(3);
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        source: 'a/b_c',
        message: `The tools a/b_c, a_b/c would all have the name a_b_c for models. Models see ${names.get('a/b_c')}, ${names.get('a_b/c')} instead.`,
      },
    ]);
  });

  it('says what two long names, and one, are cut to', () => {
    const long = 'x'.repeat(80);
    const tools = [tool('s', `${long}_one`), tool('s', `${long}_two`), tool('t', `${long}_three`), tool('t', 'short')];
    const { names, diagnostics } = assignModelNames(tools);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining(`the tools s/${long}_one, s/${long}_two would all have the name s_xxx`),
      `The name of t/${long}_three is longer than the 64 characters that models accept. Models see ${names.get(`t/${long}_three`)} instead.`,
    ]);
    for (const { id } of tools.slice(0, 2)) expect(diagnostics[0]?.message).toContain(names.get(id));
  });

  it('reports a tool that would take one of our names, naming both', () => {
    const { names, diagnostics } = assignModelNames([tool('search', 'tools')]);
    expect(names.get('search/tools')).toMatch(/^search_tools_[0-9a-f]{8}$/);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ severity: 'error', source: 'search/tools' });
    expect(diagnostics[0]?.message).toContain('Tool Search’s own tool search_tools');
  });

  it('makes unique, allowed names that are not ours, for any tools', () => {
    holds([anyTools], (tools) => {
      const names = [...assignModelNames(tools).names.values()];
      expect(names).toHaveLength(tools.length);
      expect(new Set(names).size).toBe(tools.length);
      for (const name of names) {
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(RESERVED_NAMES.has(name)).toBe(false);
      }
    });
  });

  it('gives the same names in any order', () => {
    holds(
      [
        anyTools.chain((tools) =>
          fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length })),
        ),
      ],
      ([tools, shuffled]) => {
        expect([...assignModelNames(shuffled).names].sort()).toEqual([...assignModelNames(tools).names].sort());
      },
    );
  });
});

const anyName = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom('/', '%', '25', '2F', 'a')).map((parts) => parts.join('')),
);

it('an id belongs to one server and one name', () => {
  holds([anyName, anyName], (server, name) => {
    expect(splitId(toolId(server, name))).toEqual({ server, name });
    expect(plainId(toolId(server, name))).toBe(`${server}/${name}`);
  });
});

it('a name without a slash has the id that it always had', () => {
  expect(toolId('io.github.acme/pay', 'charge')).toBe('io.github.acme/pay/charge');
  expect(toolId('acme', '100%_sure')).toBe('acme/100%_sure');
});

it('a pattern may write a name’s slash as the server does', () => {
  const allowed = permissionOf({ ...DEFAULT_SETTINGS, allowedCallers: { 'acme/pay/*': 'direct' } });
  expect(allowed({ id: toolId('acme', 'pay/charge') })).toBe('direct');
  expect(allowed({ id: toolId('acme', 'refund') })).toBe('both');
});
