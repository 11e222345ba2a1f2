import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../src/core/conversation/transcript';
import type { Settings } from '../../../src/core/settings/settings';
import { filler, makeTool, makeWorld, ok, playTurn, schema, TestRunner } from '../core/turn/world';
import { useStandIn } from './ports';

const tool = (name: string, argument: string) =>
  makeTool('math', name, `Does ${name}`, { inputSchema: schema({ [argument]: { type: 'string' } }, [argument]) });
const TOOLS = [
  tool('echo', 'message'),
  tool('shout', 'words'),
  makeTool('clock', 'now', 'Tells the time in a city', { inputSchema: schema({ city: { type: 'string' } }, ['city']) }),
  ...filler('other', 40),
];

const services = useStandIn();
const claude = () => services.portOf('claude-sonnet-4-6');
const gpt = () => services.portOf('gpt-5.6-sol');

/** Calls, searches and code in consecutive turns. */
const PROMPTS = [
  'echo message=a',
  'code: echo message=b & shout words=c; echo message=d',
  'now city=Oslo',
  'shout words=e',
  'code: shout words=f; shout words=g; echo message=h',
  'echo message=i',
  'nothing of this kind',
  'code: echo message=j',
  'now city=Rome',
  'code: echo message=k & echo message=l',
];

describe('Ten turns', () => {
  it.each([
    ['Claude', 'server', [claude]],
    ['GPT', 'server', [gpt]],
    ['one and the other in turns', 'server', [claude, gpt]],
    ['each for a while', 'client', [claude, claude, claude, gpt, gpt]],
  ] as const)('of %s, delivery %s: nothing is refused, figures are the service’s', async (_, delivery, makers) => {
    const world = makeWorld(TOOLS);
    const runner = new TestRunner((_, input) => ok(`did ${Object.values(input).join()}`));
    const settings: Partial<Settings> = { delivery, allowedCallers: { 'math/*': 'both' } };
    const ports = new Map(makers.map((make) => [make, make()]));
    let history: Transcript = [];
    for (const [index, prompt] of PROMPTS.entries()) {
      const from = services.standIn.requests.length;
      const events = world.ledger.events.length;
      const make = makers[index % makers.length] ?? claude;
      const outcome = await playTurn(world, ports.get(make) ?? make(), { prompt, history, runner, settings });
      history = [...history, ...outcome.items];
      const asked = services.standIn.requests
        .slice(from)
        .filter(({ path }) => path === '/v1/messages' || path === '/v1/responses');
      expect({ prompt, status: outcome.status, refused: asked.flatMap(({ error }) => error ?? []) }).toEqual({
        prompt,
        status: 'answered',
        refused: [],
      });
      const reported = asked.map(({ usage = {} }) => ({
        value:
          (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
        certainty: 'measured',
      }));
      const shown = world.ledger.events
        .slice(events)
        .flatMap((event) => (event.type === 'roundEnded' ? [event.tokens.sent] : []));
      expect(shown).toEqual(reported);
    }
    const scripts = world.ledger.events.flatMap((event) =>
      event.type === 'scriptEnded' ? [[event.outcome, event.calls]] : [],
    );
    expect(scripts).toEqual([
      ['ok', 3],
      ['ok', 3],
      ['ok', 1],
      ['ok', 2],
    ]);
    expect(runner.ran.map(({ input }) => String(Object.values(input as object)[0])).join('')).toBe(
      'abcdOsloefghijRomekl',
    );
  });
});
