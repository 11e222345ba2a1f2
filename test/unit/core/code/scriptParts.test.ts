import { expect, it } from 'vitest';
import { permissionOf, providerPermission } from '../../../../src/core/code/callPermission';
import { finderOf } from '../../../../src/core/code/idSources';
import { KeptResults } from '../../../../src/core/code/keptResults';
import { mayChange } from '../../../../src/core/code/readsByName';
import { errorOf, partsForModel, scriptValue } from '../../../../src/core/code/resultForms';
import { wholeDefinition } from '../../../../src/core/code/runScript';
import { stringLiteral } from '../../../../src/core/code/scriptName';
import { toolNamed } from '../../../../src/core/code/toolNamed';
import { makeTool } from '../turn/world';

const tool = { id: 'a/b' };

it.each([
  [{}, 'both', undefined],
  [{ 'x/*': 'direct' }, 'both', undefined],
  [{ 'a/*': 'both' }, 'both', 'both'],
  [{ 'a/*': 'direct', 'a/b': 'both' }, 'direct', undefined],
  [{ 'a/b': 'code', '*': 'direct' }, 'code', 'code'],
  [[{ 'a/b': 'both' }, { 'a/*': 'direct' }], 'direct', undefined],
  [[{ 'a/b': 'both' }, { 'a/*': 'code' }], 'code', 'code'],
  [[{ 'a/b': 'code' }, { 'a/*': 'both' }], 'code', 'code'],
  [[{}, { 'a/*': 'both' }], 'both', 'both'],
] as const)('%j gives a tool %s, and the provider’s code %s', (allowedCallers, caller, ofProvider) => {
  expect(permissionOf({ allowedCallers })(tool)).toBe(caller);
  expect(providerPermission({ allowedCallers })(tool)).toBe(ofProvider);
});

it('a tool without a description is its signature alone', () => {
  expect(wholeDefinition(makeTool('a', 'b'), {}, String)).not.toContain('\n');
  expect(wholeDefinition(makeTool('a', 'b', 'Does b.'), {}, String)).toMatch(/^Does b\.\n/);
});

it('a literal shows visible letters as they are, and escapes all others', () => {
  expect(stringLiteral('Zürich')).toBe('"Zürich"');
  expect(stringLiteral('a\u200bb')).toBe('"a\\u{200b}b"');
});

it.each([
  ['read_text_file', 'search_files'],
  ['edit_file', 'search_files'],
  ['get_issue', 'list_issues'],
  ['create_issue', undefined],
  ['list_issues', undefined],
  ['read_log', undefined],
])('what %s reads is found by %s', (name, finder) => {
  const names = ['search_files', 'list_issues', 'list_directory', 'list_issue_logs'];
  const tools = [makeTool('other', 'list_logs'), ...names.map((each) => makeTool('here', each))];
  expect(finderOf(makeTool('here', name), tools)?.name).toBe(finder);
});

const MOST = 'x'.repeat(8_000_000);

it('keeps results of 8,000,000 characters, and of 32,000,000 in all', () => {
  const kept = new KeptResults();
  const [one, other] = [kept.of('one'), kept.of('other')];
  expect(one.keep('math/sum', `${MOST}x`)).toBeUndefined();
  const names = ['a', 'b', 'c'].map((of) => one.keep(of, MOST));
  expect([...names, other.keep('d', MOST)]).toEqual(['r1', 'r2', 'r3', 'r1']);
  expect(one.list().map(({ of }) => of)).toEqual(['a', 'b', 'c']);
  expect(one.keep('e', '')).toBe('r4');
  expect(one.get('r1')?.of).toBe('a');
  expect(other.keep('f', 'x')).toBe('r2');
  expect([one.get('r1'), one.get('r2')?.of]).toEqual([undefined, 'b']);
  expect(other.list().map(({ of }) => of)).toEqual(['d', 'f']);
  expect(other.keep('g', MOST.slice(2))).toBe('r3');
  expect(one.list().map(({ id }) => id)).toEqual(['r2', 'r3', 'r4']);
});

const [ours, theirs, pay] = [makeTool('a', 'send'), makeTool('b', 'send'), makeTool('bank', 'pay-now')] as const;
const play = makeTool('music', 'PlayNext', '', { invokeName: 'copilot_goOn' });

it.each([
  ['one', ours, ['a_send', 'a/send']],
  ['one with a hyphen', pay, ['pay-now', 'bank_pay_now', 'Pay_Now', 'bank.pay-now', 'now']],
  ['one with words of others before it', pay, ['_bank_pay_now', 'mcp__bank__pay_now', 'default_api.bank_pay_now']],
  ['one of mixed case', play, ['playNext', 'play_next', 'next', 'copilot_goOn']],
  ['none', undefined, ['w', 'end', '…', 'send', 'none', 'functions.now', 'mcp']],
])('a name of a tool means %s', (_, tool, names) => {
  expect(names.map((name) => toolNamed(name, [ours, theirs, pay, play]))).toEqual(names.map(() => tool));
});

it('a tool’s own name counts before the end of another’s', () => {
  expect(toolNamed('Send', [makeTool('c', 'bulk_send'), ours])).toBe(ours);
});

it.each([
  [false, ['list_issues', 'search', 'get_order']],
  [true, ['find_and_replace', 'get_or_create_issue', 'list_delete_all', 'send']],
])('tools whose names say that they may change something: %s', (may, names) => {
  expect(names.map((name) => mayChange(makeTool('a', name)))).toEqual(names.map(() => may));
});

it('a tool’s full name counts before another server’s own name', () => {
  const other = makeTool('c', ours.modelName);
  expect(toolNamed(ours.modelName, [other, ours])).toBe(ours);
});

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, mimeType: 'image/png', bytes: 3, data: 'AAAA' };

it('a text that its server wrapped and repeated reaches the model once', () => {
  const structured = { content: 'hi' };
  const sent = (...parts: readonly (ReturnType<typeof text> | typeof image)[]) =>
    partsForModel({ outcome: 'ok', parts, structured });
  for (const repeated of ['hi', '{"content":"hi"}', '{ "content": "hi" }'])
    expect(sent(text('hi'), text(repeated))).toEqual([text('hi')]);
  expect(sent(text('hi'), text('bye'))).toEqual([text('hi'), text('bye')]);
  expect(sent(text('hi'), image)).toEqual([text('hi'), image]);
});

it('an image is no JSON for a script', () => {
  expect(scriptValue({ outcome: 'ok', parts: [text('\n [1]')] }).kind).toBe('either');
  expect(scriptValue({ outcome: 'ok', parts: [image] }).kind).toBe('text');
});

it('an error that a script gets is bounded', () => {
  const error = errorOf({ outcome: 'failed', parts: [text('x'.repeat(10_000))] }, 'a_b');
  expect(error).toMatchObject({ kind: 'error', message: `${'x'.repeat(3_999)}…`, outcome: 'failed' });
});
