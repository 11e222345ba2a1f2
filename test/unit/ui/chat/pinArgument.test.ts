import { describe, expect, it } from 'vitest';
import { readName, readPin } from '../../../../src/ui/chat/pinArgument';

describe('what /pin is asked for', () => {
  it.each([
    ['github/create_issue', 'github/create_issue', 'eager'],
    ['github deferred', 'github', 'deferred'],
    ['my files', 'my files', 'eager'],
    ['  my   files   deferred ', 'my   files', 'deferred'],
    ['"my files" eager', 'my files', 'eager'],
    ['`my files/read file`', 'my files/read file', 'eager'],
    ['deferred', 'deferred', 'eager'],
    ['"deferred" deferred', 'deferred', 'deferred'],
    ["bob's", "bob's", 'eager'],
    ['', '', 'eager'],
  ])('%s', (argument, name, how) => {
    expect(readPin(argument)).toEqual({ name, how });
  });

  it('/unpin takes the whole as a name', () => {
    expect(readName("'my files'")).toBe('my files');
  });
});
