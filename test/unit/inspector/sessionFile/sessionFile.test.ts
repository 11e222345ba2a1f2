import { describe, expect, it } from 'vitest';
import { withoutContents } from '../../../../src/core/ledger/withoutContents';
import type { ViewInputs } from '../../../../src/inspector/protocol/inputs';
import type { ExportOptions } from '../../../../src/inspector/sessionFile/exportedSession';
import { writeSession } from '../../../../src/inspector/sessionFile/writeSession';
import { bigSession } from '../../../data/bigSession';
import { viewInputs } from '../../../data/viewInputs';
import { holds } from '../../property';
import { OPTIONS, sessions } from './sessions';

function write(inputs: ViewInputs, options: ExportOptions = OPTIONS): string {
  return [...writeSession(inputs, options)].join('');
}

const SMALL = viewInputs(bigSession({ turns: 2, tools: 12 }));

describe('an exported session', () => {
  it('holds every event, tool and server, and how each tool is loaded', () => {
    holds([sessions], (inputs) => {
      const file = JSON.parse(write(inputs));
      const { events, catalog, mode, maxResults, pins, strategy, delivery } = asJson(inputs);
      expect(file).toMatchObject({ events, servers: catalog.servers, mode, maxResults, pins, strategy, delivery });
      const tools = inputs.catalog.tools.map(({ invokeName: _, ...tool }) => ({
        ...tool,
        tokens: inputs.tokensOf({ ...tool, invokeName: '' }),
        ...inputs.loading.get(tool.id),
      }));
      expect(file.tools).toEqual(asJson(tools));
    });
  });

  it('without contents holds the same but for what was said', () => {
    holds([sessions], (inputs) => {
      const file = JSON.parse(write(inputs, { ...OPTIONS, contents: false }));
      expect(file.events).toEqual(asJson(inputs.events.map(withoutContents)));
    });
  });

  it('without contents holds none of what was said, asked or returned', () => {
    const [first] = SMALL.catalog.tools;
    if (!first) throw new Error('No tools.');
    const tools = [{ ...first, examples: [{ args: { text: '«an example»' } }] }];
    const events = SMALL.events.map((event) => {
      if (event.type === 'turnStarted') return { ...event, prompt: '«a prompt»' };
      if (event.type === 'searched')
        return {
          ...event,
          ...{ query: '«a query»', note: '«a note»', server: '«made up»' },
          hits: [{ id: 'a/b', score: 1, matchType: 'bm25', terms: ['«term»'] }],
        };
      if (event.type === 'called')
        return { ...event, args: '«arguments»', summary: '«a summary»', tool: '«made up»', known: false };
      return event.type === 'turnEnded' ? { ...event, message: '«an end»' } : event;
    });
    events.push({ type: 'warned', message: '«a warning»', seq: 1000, at: 0, turn: 2 });
    const catalog = {
      ...SMALL.catalog,
      tools,
      servers: [{ name: 'a', state: 'failed' as const, detail: '«an output»', problems: [] }],
    };
    expect(write({ ...SMALL, catalog, events }).match(/«/g)?.length).toBeGreaterThanOrEqual(11);
    expect(write({ ...SMALL, catalog, events }, { ...OPTIONS, contents: false })).not.toContain('«');
  });

  it('is plain JSON, with its format and version first', () => {
    const head = JSON.stringify(Object.entries(JSON.parse(write(SMALL))).slice(0, 5));
    const product = '["product",{"name":"Tool Search","version":"1.2.3"}]';
    const exported = '["exportedAt","2030-03-17T17:48:20.000Z"]';
    expect(head).toBe(`[["format","tool-search-session"],["version",1],${exported},${product},["contents",true]]`);
  });
});

const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));
