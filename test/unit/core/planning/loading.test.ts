import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { type LoadingInputs, planLoading } from '../../../../src/core/planning/loading';
import { Capabilities } from '../../../../src/providers/capabilities';
import { estimated } from '../../../data/entries';
import { holds } from '../../property';
import { coreTools, filler, makeCatalog, makeTool, planInputs, SETTINGS } from '../turn/world';

type Lists = { readonly [server: string]: readonly string[] };
const ISSUE = makeTool('github', 'create_issue', 'Creates an issue');
const SEARCH = makeTool('github', 'search_code', 'Searches code');
const EDITOR = makeTool('vscode', 'get_errors', 'Errors in the editor', { origin: 'vscode' });

function plan(
  tools: readonly Tool[],
  over: Partial<Omit<LoadingInputs, 'settings'>> & { readonly settings?: Partial<LoadingInputs['settings']> } = {},
) {
  return planLoading({
    ...planInputs(tools),
    definitionTokens: (some) => estimated(some.length * 100),
    ...over,
    settings: { ...SETTINGS, ...over.settings },
  });
}

it.each([
  ['anthropic', 'claude-opus-5-5', 100_000],
  ['openai', 'gpt-6-sol', 92_200],
] as const)('auto lets definitions take a tenth of the window of %s’s %s', (vendor, id, share) => {
  const loadingAt = (tokens: number) =>
    plan(filler('many', 20), {
      model: new Capabilities().describe(vendor, { model: id, name: id }, 128),
      settings: { mode: 'auto' },
      definitionTokens: () => estimated(tokens),
    }).kept.auto?.loading;
  expect([loadingAt(share), loadingAt(share + 1)]).toEqual(['eager', 'deferred']);
});

const ids = (tools: readonly Tool[]) => tools.map((tool) => tool.id);

describe('the loading rules, first that speaks first', () => {
  it('1: a tool’s pin beats its server’s pin, which beats a #tool', () => {
    const pins = { tools: { 'github/create_issue': 'eager' as const }, servers: { github: 'deferred' as const } };
    const made = plan([ISSUE, SEARCH], { pins, references: new Set([SEARCH.id]), settings: { mode: 'off' } });
    expect(ids(made.eager)).toEqual(['github/create_issue']);
    expect(made.decisions.get('github/create_issue')).toMatchObject({ rule: 'pin', reason: 'pinned: tool' });
    expect(made.decisions.get('github/search_code')).toMatchObject({ loading: 'deferred', reason: 'pinned: server' });
  });

  it('1: a server whose name every object knows has no pin', () => {
    const made = plan([makeTool('constructor', 'build', 'Builds'), makeTool('__proto__', 'build', 'Builds')], {
      settings: { mode: 'off' },
    });
    expect([...made.decisions.values()].map(({ rule }) => rule)).toEqual(['mode', 'mode']);
  });

  it('2: a #tool is eager for its own turn alone', () => {
    const inputs = { ...planInputs([ISSUE, SEARCH]), definitionTokens: () => estimated(200) };
    const settings = { ...SETTINGS, mode: 'on' as const };
    const planned = [[], [SEARCH.id], []].map((named) =>
      planLoading({ ...inputs, settings, references: new Set(named) }),
    );
    expect(planned.map(({ eager }) => ids(eager))).toEqual([[], [SEARCH.id], []]);
  });

  it('2: a #tool is eager for the turn, whatever the settings say', () => {
    const made = plan([ISSUE, SEARCH], {
      references: new Set(['github/create_issue']),
      settings: { mode: 'on', deferredTools: { github: ['*'] } },
    });
    expect(ids(made.eager)).toEqual(['github/create_issue']);
  });

  it('3: deferredTools defers what it names; the server’s others stay eager', () => {
    const made = plan([ISSUE, SEARCH, ...filler('other', 40)], {
      settings: { deferredTools: { github: ['search_*'] } },
    });
    expect(made.decisions.get('github/search_code')?.loading).toBe('deferred');
    expect(made.decisions.get('github/create_issue')).toMatchObject({ loading: 'eager', rule: 'deferredTools' });
  });

  it.each<[Lists, Lists, 'eager' | 'deferred']>([
    [{ github: ['search_code'] }, { github: ['*'] }, 'eager'],
    [{ github: ['search_code'] }, { github: ['search_code*'] }, 'eager'],
    [{ github: ['*'] }, { github: ['search_code'] }, 'deferred'],
    [{ github: ['search_*'] }, { github: ['search_*'] }, 'eager'],
    [{ '*': ['search_*'] }, { github: ['*'] }, 'eager'],
    [{ '*': ['*'] }, { github: ['*'] }, 'deferred'],
    [{ github: ['sea*'] }, { github: ['s*', 'search_*'] }, 'deferred'],
    [{ github: ['search_[a-z]ode'] }, { github: ['search_cod?'] }, 'eager'],
    [{ GitHub: ['search_code'] }, { '*': ['search_code'] }, 'eager'],
  ])('3: the narrower of eagerTools %j and deferredTools %j decides: %s', (eagerTools, deferredTools, loading) => {
    const made = plan([SEARCH, ...filler('other', 40)], { settings: { eagerTools, deferredTools } });
    expect(made.decisions.get('github/search_code')?.loading).toBe(loading);
    if (loading === 'deferred') expect(made.decisions.get('github/search_code')?.reasonLong).toContain('more narrowly');
  });

  it('4: eagerTools makes what it names eager; later rules decide the rest', () => {
    const made = plan([ISSUE, SEARCH], { settings: { mode: 'on', eagerTools: { github: ['create_*'] } } });
    expect(ids(made.eager)).toEqual(['github/create_issue']);
    expect(made.decisions.get('github/search_code')?.rule).toBe('mode');
  });

  it('5: the tool’s own wish counts before the mode', () => {
    const made = plan([{ ...ISSUE, alwaysLoad: true }, SEARCH], { settings: { mode: 'on' } });
    expect(made.decisions.get('github/create_issue')).toMatchObject({ loading: 'eager', rule: 'hint' });
  });

  it('6: with scope mcp, tools of no server must be named', () => {
    const settings = { mode: 'on', scope: 'mcp' } as const;
    const named = { settings: { ...settings, eagerTools: { vscode: ['get_*'] } } };
    expect(plan([EDITOR, ISSUE], { settings }).decisions.get(EDITOR.id)?.loading).toBe('omitted');
    expect(ids(plan([EDITOR], named).eager)).toEqual([EDITOR.id]);
    expect(ids(plan([EDITOR], { settings, references: new Set([EDITOR.id]) }).eager)).toEqual([EDITOR.id]);
    expect(ids(plan([EDITOR], { settings: { ...settings, scope: 'all' } }).deferred)).toEqual([EDITOR.id]);
  });

  const reader = (referenceName: string) =>
    makeTool('vscode', `copilot_${referenceName}`, '', { origin: 'vscode', referenceName });
  const READERS = ['fileSearch', 'listDirectory', 'problems', 'readFile', 'textSearch'].map(reader);

  it('6: by default VS Code’s tools are found, readers eager', () => {
    const made = plan([ISSUE, EDITOR, ...READERS, reader('editFiles')], { settings: { mode: 'on' } });
    expect(ids(made.eager)).toEqual(READERS.map(({ id }) => id));
    expect(ids(made.deferred)).toEqual(['github/create_issue', 'vscode/copilot_editFiles', 'vscode/get_errors']);
    expect(made.decisions.get('vscode/get_errors')).toMatchObject({ rule: 'scope', reason: 'scope: auto' });
    expect(made.unsent).toBe(0);
  });

  it('6: readers over 1,500 tokens are found like others', () => {
    const definitionTokens = (tools: readonly Tool[]) => estimated(tools.length * 301);
    const heavy = plan([ISSUE, ...READERS], { definitionTokens, settings: { mode: 'on' } });
    expect(ids(heavy.deferred)).toEqual(['github/create_issue', ...READERS.map(({ id }) => id)]);
    expect(heavy.coreNote).toBeUndefined();
  });

  it('6: VS Code’s tools alone are no reason for a search', () => {
    const made = plan([ISSUE, EDITOR, ...READERS, reader('editFiles')]);
    expect(ids(made.eager)).toEqual(['github/create_issue', ...READERS.map(({ id }) => id)]);
    expect(made.deferred).toEqual([]);
    expect(made.unsent).toBe(2);
    expect(made.decisions.get('vscode/get_errors')).toMatchObject({ loading: 'omitted', rule: 'scope' });
    expect(made.decisions.get('vscode/get_errors')?.reasonLong).toContain('Set toolsearch.mode to on');
  });

  it('6: VS Code’s tools are found when a server’s tool is', () => {
    const made = plan([ISSUE, EDITOR], { pins: { tools: { 'github/create_issue': 'deferred' }, servers: {} } });
    expect(ids(made.deferred)).toEqual(['github/create_issue', 'vscode/get_errors']);
    const many = plan([ISSUE, EDITOR], { settings: { autoMaxTools: 0 } });
    expect(ids(many.deferred)).toEqual(['github/create_issue', 'vscode/get_errors']);
  });

  it('6: tools that only VS Code uses stay out unless pinned', () => {
    const own = ['vscode_get_confirmation_with_options', 'task_complete', 'inline_chat_exit', 'vscode_edit_internal'];
    const tools = own.map((name) => makeTool('vscode', name, '', { origin: 'vscode' }));
    const made = plan([ISSUE, ...tools, makeTool('other', 'task_complete', '')], {
      settings: { mode: 'on', scope: 'all' },
      pins: { tools: { 'vscode/task_complete': 'eager' }, servers: {} },
    });
    expect(ids(made.eager)).toEqual(['vscode/task_complete']);
    expect(ids(made.deferred)).toEqual(['github/create_issue', 'other/task_complete']);
  });

  it('6: with mode off, only readers of VS Code’s tools are sent', () => {
    const made = plan([EDITOR, ...READERS], { settings: { mode: 'off' } });
    expect(ids(made.eager)).toEqual(READERS.map(({ id }) => id));
    expect(made.decisions.get('vscode/get_errors')?.loading).toBe('omitted');
  });

  it('7: with scope all, VS Code’s core tools are always eager', () => {
    const settings = { mode: 'on' as const, scope: 'all' as const, coreTools: ['core*', 'get_*'] };
    const others = [makeTool('vscode', 'other', '', { origin: 'vscode' }), makeTool('forge', 'core9')];
    const made = plan([...coreTools(3), EDITOR, ...others], { settings });
    expect(ids(made.deferred)).toEqual(['forge/core9', 'vscode/other']);
    expect(made.decisions.get('vscode/copilot_tool0')).toMatchObject({ loading: 'eager', rule: 'core' });
    expect(made.coreNote).toBeUndefined();
    const { decisions } = plan(coreTools(3), { settings: { scope: 'mcp' } });
    expect(decisions.get('vscode/copilot_tool0')?.loading).toBe('omitted');
  });

  it('7: too many core tools are deferred, with a note', () => {
    const settings = { mode: 'auto' as const, scope: 'all' as const, coreTools: ['core*'] };
    const many = plan(coreTools(40), { settings });
    expect(many.deferred).toHaveLength(40);
    expect(many.coreNote).toContain('40 tools are more than auto.maxTools (30)');
    const heavy = plan(coreTools(5), { settings, definitionTokens: (tools) => estimated(tools.length * 5_000) });
    expect(heavy.coreNote).toContain('25000 tokens');
    expect(heavy.deferred).toHaveLength(5);
    expect(plan(coreTools(40), { settings: { ...settings, mode: 'off' } }).deferred).toEqual([]);
  });

  it('8: mode auto defers past a number or share, and says which', () => {
    expect(plan(filler('a', 30)).deferred).toEqual([]);
    expect(plan(filler('a', 31)).decisions.get('a/zz0')?.reason).toBe('auto: 31 tools > 30');
    const heavy = plan(filler('a', 10), { definitionTokens: () => estimated(10_001) });
    expect(heavy.deferred).toHaveLength(10);
    expect(heavy.decisions.get('a/zz0')?.reasonLong).toMatch(
      /≈ 10001 tokens .* auto\.contextPercent \(10 % of 100000\)/,
    );
    const exact = plan(filler('a', 10), { definitionTokens: () => ({ value: 10_001, certainty: 'measured' }) });
    expect(exact.decisions.get('a/zz0')?.reasonLong).toContain('mode auto: 10001 tokens');
    expect(plan(filler('a', 40), { settings: { mode: 'off' } }).deferred).toEqual([]);
    expect(plan(filler('a', 1), { settings: { mode: 'on' } }).deferred).toHaveLength(1);
  });

  it('8: only what mode auto could defer counts towards its limits', () => {
    const pins = { tools: {}, servers: { a: 'eager' as const } };
    expect(plan([...filler('a', 40), ...filler('b', 30)], { pins }).deferred).toEqual([]);
  });
});

describe('any plan', () => {
  const anyTool = fc.record({
    server: fc.constantFrom('a', 'b', 'vscode'),
    name: fc.constantFrom('one', 'two', 'three', 'get_x', 'get_y'),
    alwaysLoad: fc.option(fc.boolean(), { nil: undefined }),
  });
  const pin = fc.constantFrom('eager' as const, 'deferred' as const);

  it('decides on every tool once, in the catalog’s order, with a reason', () => {
    holds(
      [
        fc.uniqueArray(anyTool, { selector: (tool) => `${tool.server}/${tool.name}`, maxLength: 15 }),
        fc.record({
          mode: fc.constantFrom('auto' as const, 'on' as const, 'off' as const),
          scope: fc.constantFrom('auto' as const, 'mcp' as const, 'all' as const),
          autoMaxTools: fc.nat(10),
          eagerTools: fc.dictionary(
            fc.constantFrom('a', 'b', 'vscode'),
            fc.array(fc.constantFrom('*', 'get_*', 'one'), { maxLength: 2 }),
          ),
        }),
        fc.dictionary(fc.constantFrom('a/one', 'b/two', 'vscode/three'), pin),
      ],
      (list, settings, tools) => {
        const all = list.map(({ server, name, alwaysLoad }) =>
          makeTool(server, name, '', { alwaysLoad, origin: server === 'vscode' ? 'vscode' : 'mcp' }),
        );
        const made = plan(all, { settings, pins: { tools, servers: {} } });
        const order = makeCatalog(all).tools.map((tool) => tool.id);
        expect([...made.decisions.keys()].sort()).toEqual([...order].sort());
        for (const part of [made.eager, made.deferred])
          expect(ids(part)).toEqual(order.filter((id) => ids(part).includes(id)));
        for (const [id, decision] of made.decisions) {
          expect(decision.reason).not.toBe('');
          if (tools[id]) expect(decision.loading).toBe(tools[id]);
        }
      },
    );
  });
});

describe('a resource or prompt among the tools', () => {
  const README = makeTool('github', 'resource:docs://readme', '', {
    item: { kind: 'resource', address: 'docs://readme' },
  });
  const loadingOf = (over: Parameters<typeof plan>[1]) => plan([ISSUE, README], over).decisions.get(README.id)?.loading;

  it('is found by search alone, whatever holds for the server’s tools', () => {
    expect(loadingOf({})).toBe('deferred');
    expect(loadingOf({ settings: { eagerTools: { github: ['*'] } } })).toBe('deferred');
    expect(loadingOf({ settings: { deferredTools: { github: ['create_*'] } } })).toBe('deferred');
    expect(loadingOf({ pins: { tools: {}, servers: { github: 'eager' } } })).toBe('deferred');
    expect(loadingOf({ settings: { mode: 'off' } })).toBe('omitted');
  });

  it('is pinned and hidden by itself', () => {
    expect(loadingOf({ pins: { tools: { [README.id]: 'eager' }, servers: {} } })).toBe('eager');
    expect(loadingOf({ settings: { hiddenTools: { github: ['resource:*'] } } })).toBe('omitted');
    expect(loadingOf({ pins: { tools: {}, servers: { github: 'off' } } })).toBe('omitted');
  });

  it('doesn’t count for mode auto', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ ...README, id: `github/r${at}`, name: `r${at}` }));
    expect(ids(plan([ISSUE, ...many]).eager)).toEqual([ISSUE.id]);
  });
});
