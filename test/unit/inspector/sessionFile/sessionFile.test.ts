import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ViewInputs } from '../../../../src/inspector/protocol/inputs';
import { exportedEvent } from '../../../../src/inspector/sessionFile/contents';
import type { ExportOptions } from '../../../../src/inspector/sessionFile/format';
import { type Opened, openSession } from '../../../../src/inspector/sessionFile/sessionFile';
import { writeSession } from '../../../../src/inspector/sessionFile/writeSession';
import { createText } from '../../../../src/inspector/text/text';
import { toolDetail } from '../../../../src/inspector/view/toolDetail';
import { viewState } from '../../../../src/inspector/view/viewState';
import { bigSession } from '../../../data/bigSession';
import { viewInputs } from '../../../data/viewInputs';
import { OPTIONS, sessions } from './sessions';

function open(document: string | Uint8Array): Opened {
  const reading = openSession(document);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

function write(inputs: ViewInputs, options: ExportOptions = OPTIONS): string {
  return [...writeSession(inputs, options)].join('');
}

function reopened(inputs: ViewInputs, text: string): ViewInputs {
  const opened = open(text);
  if (!opened.ok) throw new Error(JSON.stringify(opened.problem));
  return { ...inputs, ...opened.session };
}

const SMALL = viewInputs(bigSession({ turns: 2, tools: 12 }));

describe('an exported session', () => {
  it('shows the same view when it is opened again', () => {
    fc.assert(
      fc.property(sessions, (inputs) => {
        const again = reopened(inputs, write(inputs));
        expect(viewState(again)).toEqual(viewState(inputs));
        const text = createText(inputs.strings, inputs.locale);
        const price = (chars: number) => ({ value: chars, certainty: 'estimated' as const });
        for (const tool of inputs.catalog.tools) {
          const own = again.catalog.byId.get(tool.id);
          expect(own && toolDetail(own, text, price)).toEqual(toolDetail(tool, text, price));
        }
      }),
    );
  });

  it('without contents shows the same view but for what was said', () => {
    fc.assert(
      fc.property(sessions, (inputs) => {
        const expected = { ...inputs, events: inputs.events.map((event) => exportedEvent(event, false)) };
        expect(viewState(reopened(inputs, write(inputs, { ...OPTIONS, contents: false })))).toEqual(
          viewState(expected),
        );
      }),
    );
  });

  it('without contents holds none of what was said, asked or returned', () => {
    const said = [
      'a prompt',
      'a query',
      'term',
      'an argument',
      'a summary',
      'a note',
      'a warning',
      'an end',
      'an example',
      'an output',
      'made up',
    ];
    const [
      prompt = '',
      query = '',
      term = '',
      args = '',
      summary = '',
      note,
      warning = '',
      message,
      example = '',
      detail,
      unknown = '',
    ] = said.map((words) => `«${words}»`);
    const [first] = SMALL.catalog.tools;
    if (!first) throw new Error('No tools.');
    const tools = [{ ...first, examples: [{ args: { text: example } }] }];
    const events = SMALL.events.map((event) => {
      if (event.type === 'turnStarted') return { ...event, prompt };
      if (event.type === 'searched')
        return {
          ...event,
          query,
          note,
          server: unknown,
          hits: [{ id: 'a/b', score: 1, matchType: 'bm25', terms: [term] }],
        };
      if (event.type === 'called') return { ...event, args, summary, tool: unknown, known: false };
      return event.type === 'turnEnded' ? { ...event, message } : event;
    });
    events.push({ type: 'warned', message: warning, seq: 1000, at: 0, turn: 2 });
    const catalog = {
      ...SMALL.catalog,
      tools,
      servers: [{ name: 'a', state: 'failed' as const, detail, problems: [] }],
    };
    expect(write({ ...SMALL, catalog, events }).match(/«/g)?.length).toBeGreaterThanOrEqual(said.length);
    expect(write({ ...SMALL, catalog, events }, { ...OPTIONS, contents: false })).not.toContain('«');
  });

  it('is plain JSON, with its format and version first', () => {
    const text = write(SMALL);
    const parsed = JSON.parse(text);
    expect(Object.keys(parsed).slice(0, 5)).toEqual(['format', 'version', 'exportedAt', 'product', 'contents']);
    expect(open(JSON.stringify(parsed)).ok).toBe(true);
    expect(open(JSON.stringify(parsed, undefined, 2)).ok).toBe(true);
  });
});

it('is the same from bytes, decoded in steps, as from text', () => {
  // Three bytes a character, so that steps end inside a character.
  const events = SMALL.events.map((event) =>
    event.type === 'turnStarted' ? { ...event, prompt: '’'.repeat(400_000) } : event,
  );
  const text = write({ ...SMALL, events });
  const steps = [...openSession(new TextEncoder().encode(text))].length - [...openSession(text)].length;
  expect(steps).toBeGreaterThan(3);
  const prompts = (opened: Opened) =>
    opened.ok && opened.session.events.flatMap((event) => (event.type === 'turnStarted' ? [event.prompt] : []));
  expect(prompts(open(new TextEncoder().encode(text)))).toEqual(prompts(open(text)));
});

it('is bounded as what servers list is, whoever wrote it', () => {
  const [tool] = SMALL.catalog.tools;
  if (!tool) throw new Error('There is no tool.');
  const items = '{"type":"array","items":'.repeat(9_000);
  const hostile = JSON.stringify({ type: 'object', properties: { x: 'HERE' } }).replace(
    '"HERE"',
    `${items}{}${'}'.repeat(9_000)}`,
  );
  const document = write(SMALL)
    .replace(`"inputSchema":${JSON.stringify(tool.inputSchema)}`, () => `"inputSchema":${hostile}`)
    .replace(
      '"origin":"mcp"',
      () => `"origin":"mcp","examples":[{"args":{"x":${'['.repeat(9_000)}${']'.repeat(9_000)}}}]`,
    );
  const opened = open(document);
  if (!opened.ok) throw new Error(JSON.stringify(opened.problem));
  const read = opened.session.catalog.byId.get(tool.id);
  expect(document).toContain(hostile);
  expect(JSON.stringify(read?.inputSchema).length).toBeLessThan(10_000);
  expect(read?.examples).toEqual([]);
});

describe('a file that isn’t one', () => {
  const change = (edit: (file: ReturnType<typeof JSON.parse>) => unknown) => {
    const file = JSON.parse(write(SMALL));
    edit(file);
    const opened = open(JSON.stringify(file));
    return opened.ok ? undefined : opened.problem;
  };

  it.each([
    ['', 1],
    ['not json', 1],
    ['[]', 1],
    ['{"format": "tool-search-session",\n"version": 1,\n"tools": [{]}', 3],
  ])('%j isn’t JSON', (text, line) => {
    expect(open(text)).toMatchObject({ ok: false, problem: { kind: 'notJson', line } });
  });

  it('differs from one that is no text', () => {
    expect(open(Uint8Array.of(0x7b, 0xff, 0x7d))).toEqual({ ok: false, problem: { kind: 'notText' } });
    // The last byte of the last character is missing.
    expect(open(new TextEncoder().encode('{}’').subarray(0, -1))).toEqual({ ok: false, problem: { kind: 'notText' } });
  });

  it('differs from one that was cut', () => {
    const text = write(SMALL);
    const opened = open(text.slice(0, text.length / 2));
    expect(opened).toMatchObject({ ok: false, problem: { kind: 'notJson', message: 'The text ends too early' } });
  });

  it('differs from other files, newer and older versions', () => {
    expect(open('{"resourceSpans": []}')).toMatchObject({ problem: { kind: 'notOurs' } });
    expect(change((file) => (file.format = 'other'))).toEqual({ kind: 'notOurs' });
    expect(change((file) => (file.version = 2))).toEqual({ kind: 'version', version: '2', newer: true });
    expect(change((file) => (file.version = 0))).toEqual({ kind: 'version', version: '0', newer: false });
    const version = { toString: 1 } as never;
    expect(change((file) => (file.version = version))).toMatchObject({ version: '{"toString":1}', newer: false });
  });

  it('names the place that was changed by hand', () => {
    expect(change((file) => (file.events[0].prompt = 5))).toEqual({
      kind: 'wrong',
      where: 'events[0].prompt',
      message: 'must be of type string',
    });
    expect(change((file) => (file.events[2].tokens.sent.value = null))).toMatchObject({
      where: 'events[2].tokens.sent.value',
    });
    expect(change((file) => (file.events[1].type = 'other'))).toMatchObject({ where: 'events[1].type' });
    expect(change((file) => (file.tools[3].inputSchema = []))).toMatchObject({
      where: 'tools[3].inputSchema',
      message: 'must be an object',
    });
    expect(change((file) => (file.tools[3].loading = 'maybe'))).toMatchObject({
      message: 'must be one of eager, discovered, deferred, omitted',
    });
    expect(change((file) => (file.tools = {}))).toEqual({ kind: 'wrong', where: 'tools', message: 'must be a list' });
    expect(change((file) => delete file.exportedAt)).toMatchObject({ where: 'exportedAt' });
    expect(change((file) => file.tools.push(file.tools[0]))).toMatchObject({ where: 'tools[12]' });
    expect(change((file) => file.events.reverse())).toMatchObject({ where: 'events[1].seq' });
  });

  it('never makes the reader throw, whatever is in it', () => {
    const valid = write(SMALL);
    fc.assert(
      fc.property(
        fc.nat({ max: valid.length }),
        fc.nat({ max: 20 }),
        fc.string({ maxLength: 5 }),
        (at, length, put) => {
          const opened = open(valid.slice(0, at) + put + valid.slice(at + length));
          expect(typeof opened.ok).toBe('boolean');
        },
      ),
      { numRuns: 150 },
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(open(text).ok).toBe(false);
      }),
    );
  });
});
