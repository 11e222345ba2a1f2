import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../src/core/settings/settings';
import { filler, makeTool, schema } from '../core/turn/world';
import { useChats } from './chats';

const tool = (name: string, argument: string) =>
  makeTool('math', name, `Does ${name}`, { inputSchema: schema({ [argument]: { type: 'string' } }, [argument]) });
const TOOLS = [
  tool('echo', 'message'),
  tool('shout', 'words'),
  makeTool('clock', 'now', 'Tells the time in a city', { inputSchema: schema({ city: { type: 'string' } }, ['city']) }),
  ...filler('other', 40),
];

const services = useChats();
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
    const settings: Partial<Settings> = { delivery, allowedCallers: { 'math/*': 'both' } };
    const { ask, runner, world } = services.chat(settings, { tools: TOOLS });
    const ports = new Map(makers.map((make) => [make, make()]));
    for (const [index, prompt] of PROMPTS.entries()) {
      const events = world.ledger.events.length;
      const make = makers[index % makers.length] ?? claude;
      const { asked, refused, status } = await ask(prompt, ports.get(make));
      expect({ prompt, status, refused }).toEqual({ prompt, status: 'answered', refused: [] });
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
