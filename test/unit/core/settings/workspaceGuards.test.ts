import { describe, expect, it } from 'vitest';
import { permissionOf, providerPermission } from '../../../../src/core/code/callPermission';
import { parseSettings } from '../../../../src/core/settings/parseSettings';
import { DEFAULT_SETTINGS, type SettingKey } from '../../../../src/core/settings/settings';
import { guarded, guardedModels } from '../../../../src/core/settings/workspaceGuards';

const CONTEXT = { strategies: [] };
const join = (key: SettingKey, user: unknown, workspace: unknown) => guarded(key, { user, workspace }, CONTEXT);

describe('a setting that guards, set by user and workspace', () => {
  it.each([
    ['changedTools', 'ask', 'tell'],
    ['codeMode', 'off', 'on'],
    ['codeMode', 'auto', 'on'],
    ['mcp.host', 'vscode', 'extension'],
    ['scope', 'mcp', 'all'],
    ['scope', 'mcp', 'auto'],
    ['scope', 'auto', 'all'],
    ['limits.toolCallsPerTurn', 5, 1000],
    ['limits.retriesPerTool', 0, 20],
    ['limits.scriptSeconds', 1, 60],
    ['limits.callsPerScript', 1, 1000],
    ['limits.scriptOutputChars', 1000, 100_000],
  ] as const)('%s has the stricter value of both: %j, not %j', (key, strict, weak) => {
    expect(join(key, strict, weak)).toMatchObject({ value: strict });
    expect(join(key, strict, weak)?.problems[0]?.message).toContain(`toolsearch.${key} to ${JSON.stringify(weak)}`);
    expect(join(key, weak, strict)).toBeUndefined();
  });

  it.each([
    ['mcp.host', 'vscode', 'extension'],
    ['scope', 'auto', 'all'],
    ['codeMode', 'auto', 'on'],
    ['limits.toolCallsPerTurn', DEFAULT_SETTINGS.toolCallsPerTurn, 1000],
    ['limits.callsPerScript', DEFAULT_SETTINGS.callsPerScript, 1000],
  ] as const)('%s is named if weaker than %j: %j', (key, fallback, weak) => {
    expect(join(key, undefined, weak)).toMatchObject({ value: weak });
    expect(join(key, undefined, weak)?.problems[0]?.message).toBe(
      `The workspace sets toolsearch.${key} to ${JSON.stringify(weak)}. The default is ${JSON.stringify(fallback)}. To keep it, set it in your user settings.`,
    );
    expect(join(key, undefined, fallback)).toBeUndefined();
  });

  it('says nothing of a workspace’s stricter, bad or other value', () => {
    expect(join('limits.toolCallsPerTurn', undefined, 1)).toBeUndefined();
    expect(join('limits.toolCallsPerTurn', undefined, -1)).toBeUndefined();
    expect(join('hiddenTools', undefined, { a: ['*'] })).toBeUndefined();
    expect(join('maxResults', undefined, 20)).toBeUndefined();
  });

  it('holds against a workspace whose value is nonsense', () => {
    expect(join('changedTools', 'ask', 'never')).toMatchObject({ value: 'ask' });
    expect(join('limits.toolCallsPerTurn', 5, -1)).toMatchObject({ value: 5 });
  });

  const SETS = { Safe: ['*'], Own: ['a/*'] };
  const BOTH = { bank: ['pay', 'list'], web: ['get'] };
  it.each<[string, SettingKey, unknown, unknown, unknown]>([
    ['hides the tools of both', 'hiddenTools', { bank: ['pay'], web: ['get'] }, { bank: ['list'] }, BOTH],
    ['keeps a set of tools as the user named it', 'sets', { Safe: ['notes/*'] }, SETS, { ...SETS, Safe: ['notes/*'] }],
    ['has all tools of both lists', 'sequentialTools', ['a/*'], ['b/*'], ['a/*', 'b/*']],
  ])('%s', (_, key, user, workspace, value) => expect(join(key, user, workspace)).toEqual({ value, problems: [] }));

  it('hides the tools of servers with odd names too', () => {
    expect(join('hiddenTools', { DB: ['drop_*'] }, { db: [] })?.value).toEqual({ DB: ['drop_*'], db: ['drop_*'] });
    const [user, workspace] = [{ toString: ['a'] }, JSON.parse('{"constructor": ["b"], "__proto__": ["c"]}')];
    const value = join('hiddenTools', user, workspace)?.value;
    expect(Object.entries(value as object)).toEqual([
      ['toString', ['a']],
      ['constructor', ['b']],
      ['__proto__', ['c']],
    ]);
  });

  it('keeps the user’s good entries beside a bad one', () => {
    expect(join('hiddenTools', { bank: ['pay', 7], web: 'all' }, { bank: [] })).toMatchObject({
      value: { bank: ['pay'] },
      problems: [
        { severity: 'error', source: 'toolsearch.hiddenTools', message: expect.stringContaining('Entry 2') },
        { severity: 'error', message: expect.stringContaining('“web” in toolsearch.hiddenTools must be a list') },
      ],
    });
  });

  it('keeps all entries of the user, however many the workspace has', () => {
    const user = { bank: ['pay'] };
    for (const count of [501, 499]) {
      // A table lists names that are numbers first.
      const workspace = { '1': Array.from({ length: count }, (_, i) => `t${i}`) };
      expect(join('hiddenTools', user, workspace)?.value).toEqual(user);
    }
    expect(join('hiddenTools', user, { '1': ['t'] })?.value).toEqual({ '1': ['t'], bank: ['pay'] });
  });
});

describe('who may call a tool', () => {
  const rules = (user: unknown, workspace: unknown) => {
    const value = join('allowedCallers', user, workspace)?.value;
    return parseSettings({ allowedCallers: value }, CONTEXT).settings;
  };

  it.each([
    [{ 'bank/*': 'direct' }, { '*': 'both' }, 'direct'],
    [{ 'bank/*': 'direct' }, { 'bank/*': 'both' }, 'direct'],
    [{ '*': 'both' }, { 'bank/*': 'direct' }, 'direct'],
    [{ 'bank/pay': 'both', 'bank/*': 'direct' }, { '*': 'both' }, 'both'],
    [{ 'bank/*': 'code' }, { 'bank/*': 'direct' }, 'code'],
    [{ 'mail/*': 'direct' }, { 'mail/*': 'both' }, 'both'],
  ])('needs the permission of %j and of %j', (user, workspace, expected) => {
    expect(permissionOf(rules(user, workspace))({ id: 'bank/pay' })).toBe(expected);
    expect(providerPermission(rules({ 'bank/*': 'direct' }, { '*': 'code' }))({ id: 'bank/pay' })).toBeUndefined();
  });

  it('is one table as before if only one scope sets it', () => {
    expect(parseSettings({ allowedCallers: { 'a/*': 'code' } }, CONTEXT).settings.allowedCallers).toEqual({
      'a/*': 'code',
    });
    expect(DEFAULT_SETTINGS.allowedCallers).toEqual({});
  });
});

it('a workspace can’t turn scripts on for single models', () => {
  const workspace = { 'copilot/*': { codeMode: 'on', maxResults: 8 }, 'x/*': { mode: 'on' } };
  expect(guardedModels(workspace, { user: undefined, workspace }, 'off')).toEqual({
    'copilot/*': { codeMode: 'off', maxResults: 8 },
    'x/*': { mode: 'on' },
  });
  const user = { 'copilot/*': { codeMode: 'auto' } };
  expect(guardedModels(workspace, { user, workspace }, 'off')).toMatchObject({ 'copilot/*': { codeMode: 'auto' } });
  expect(guardedModels(workspace, { user: undefined, workspace }, undefined)).toEqual(workspace);
});
