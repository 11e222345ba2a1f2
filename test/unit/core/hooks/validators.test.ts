import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { validateCall } from '../../../../src/core/hooks/validateCall';
import { Validators } from '../../../../src/core/hooks/validators';
import type { ArgumentValidator } from '../../../../tool-search';
import { makeTool } from '../turn/world';

const DELETE = makeTool('db', 'delete_rows', 'Deletes rows');
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Checks a call with these validators, until their time is up. */
async function check(validators: Validators, input = { table: 'people' }, signal = never) {
  const said = validateCall(validators, DELETE, input, signal);
  await vi.runAllTimersAsync();
  return said;
}
function withOne(validator: ArgumentValidator): Validators {
  const validators = new Validators();
  validators.add('mine', validator);
  return validators;
}
const failures = (validators: Validators) =>
  validators.diagnostics.map(({ source, message }) => `${source}: ${message}`);

describe('a validator of another extension', () => {
  it('sees copies of tool and arguments, and lets a call be made', async () => {
    const input = { table: 'people', where: { id: 1 } };
    const validators = withOne((call) => {
      expect(call).toMatchObject({ tool: { id: 'db/delete_rows', description: 'Deletes rows' }, arguments: input });
      Object.assign(call.arguments.where as object, { id: 2 });
      return undefined;
    });
    expect(await check(validators, input)).toBeUndefined();
    expect(input.where.id).toBe(1);
    expect(failures(validators)).toEqual([]);
  });

  it('keeps a call from being made, in bounded words without hidden characters', async () => {
    const said = await check(withOne(() => `No\u200b such table. ${'x'.repeat(5_000)}`));
    expect(said).toMatch(/^db_delete_rows was not called\. A check of its arguments says: No such table\. x+…$/);
    expect(said?.length).toBeLessThan(1_100);
    expect(await check(withOne(() => '  '))).toBeUndefined();
  });

  it.each<[string, ArgumentValidator, string]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      'broken',
    ],
    ['hangs', () => new Promise(() => {}), 'no answer within 2 s'],
    ['returns no text', () => 7 as never, 'it returned no text'],
  ])('that %s is reported, and the call is made', async (_, validator, error) => {
    const validators = withOne(validator);
    expect(await check(validators)).toBeUndefined();
    expect(failures(validators)).toEqual([
      `mine: The validator “mine” failed (${error}). Calls are made without its check.`,
    ]);
  });

  it('is no longer reported once it works again or is removed', async () => {
    const validators = new Validators();
    let broken = true;
    const remove = validators.add('mine', () => {
      if (broken) throw new Error('broken');
      return undefined;
    });
    await check(validators);
    broken = false;
    await check(validators);
    expect(failures(validators)).toEqual([]);
    broken = true;
    await check(validators);
    expect(failures(validators)).toHaveLength(1);
    remove();
    expect(failures(validators)).toEqual([]);
    expect(await check(validators)).toBeUndefined();
  });

  it('is one of several; the first objection counts', async () => {
    const validators = new Validators();
    validators.add('one', () => undefined);
    validators.add('two', () => 'Two objects.');
    validators.add('three', () => 'Three objects.');
    expect(await check(validators)).toContain('Two objects.');
    expect(() => validators.add('two', () => undefined)).toThrow('already a validator "two"');
    expect(() => validators.add(' ', () => undefined)).toThrow('needs a name');
  });

  it('isn’t blamed for a turn that was cancelled', async () => {
    const validators = withOne(() => new Promise(() => {}));
    expect(await check(validators, undefined, AbortSignal.abort())).toBeUndefined();
    expect(failures(validators)).toEqual([]);
  });
});
