import type { Transcript } from '../../../src/core/conversation/transcript';
import type { ModelPort } from '../../../src/core/ports';
import type { Settings } from '../../../src/core/settings/settings';
import { filler, makeTool, makeWorld, ok, playTurn, schema, TestRunner, TestSink } from '../core/turn/world';
import { useStandIn } from './ports';

export const SUM = makeTool('math', 'get-sum', 'Returns the sum of two numbers', {
  inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
});
export const ECHO = makeTool('math', 'echo', 'Echoes', {
  inputSchema: schema({ message: { type: 'string' } }, ['message']),
});
export const TOOLS = [SUM, ECHO, ...filler('other', 40)];

/**
 * Conversations in which a provider's code calls tools, with the stand-in for both services. @param path the path of
 * requests for replies
 */
export function codeChats(path: string) {
  const services = useStandIn();
  return {
    portOf: services.portOf,
    get standIn() {
      return services.standIn;
    },
    /** A conversation with the real turn loop. */
    chat(settings: Partial<Settings>, tools = TOOLS) {
      const world = makeWorld(tools);
      let onRun = () => {};
      const runner = new TestRunner((_, input) => {
        onRun();
        return ok(typeof input.a === 'number' ? String(input.a + Number(input.b)) : `said ${input.message}`);
      });
      let history: Transcript = [];
      return {
        world,
        runner,
        onRun: (listener: () => void) => {
          onRun = listener;
        },
        async ask(prompt: string, port: ModelPort, signal = new AbortController().signal) {
          const sink = new TestSink();
          const from = services.standIn.requests.length;
          const outcome = await playTurn(world, port, {
            prompt,
            history,
            runner,
            settings: { delivery: 'auto', ...settings },
            sink,
            signal,
          });
          history = [...history, ...outcome.items];
          const asked = services.standIn.requests.slice(from).filter((request) => request.path === path);
          return { ...outcome, sink, asked, refused: asked.flatMap(({ error }) => error ?? []) };
        },
        events: (type: string) => world.ledger.events.filter((event) => event.type === type),
      };
    },
  };
}
