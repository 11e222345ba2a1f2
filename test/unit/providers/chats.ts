import type { Tool } from '../../../src/core/catalog/tool';
import type { Transcript } from '../../../src/core/conversation/transcript';
import type { ModelPort } from '../../../src/core/ports';
import type { Settings } from '../../../src/core/settings/settings';
import { makeWorld, ok, playTurn, TestRunner, TestSink } from '../core/turn/world';
import { TOOLS } from './openai/definitions';
import { useStandIn } from './ports';

/** Conversations with the real turn loop over the stand-in for both services. */
export function useChats() {
  const services = useStandIn();
  return {
    portOf: services.portOf,
    get standIn() {
      return services.standIn;
    },
    /** A conversation. Each question adds to its history. */
    chat(
      settings: Partial<Settings>,
      more: { readonly tools?: readonly Tool[]; readonly history?: Transcript; readonly port?: ModelPort } = {},
    ) {
      const world = makeWorld(more.tools ?? TOOLS);
      let onRun = () => {};
      const runner = new TestRunner((_, input) => {
        onRun();
        return ok(typeof input.a === 'number' ? String(input.a + Number(input.b)) : `said ${input.message}`);
      });
      const talk = {
        world,
        runner,
        history: more.history ?? [],
        onRun: (listener: () => void) => {
          onRun = listener;
        },
        async ask(
          prompt: string,
          port = more.port,
          rest: { readonly references?: ReadonlySet<string>; readonly signal?: AbortSignal } = {},
        ) {
          if (!port) throw new Error('no model');
          const sink = new TestSink();
          const from = services.standIn.requests.length;
          const { history } = talk;
          const question = { prompt, history, runner, sink, ...rest };
          const outcome = await playTurn(world, port, { ...question, settings: { delivery: 'auto', ...settings } });
          talk.history = [...history, ...outcome.items];
          const asked = services.standIn.requests.slice(from).filter(({ path }) => /(messages|responses)$/.test(path));
          return { ...outcome, sink, asked, refused: asked.flatMap(({ error }) => error ?? []) };
        },
        events: (type: string) => world.ledger.events.filter((event) => event.type === type),
      };
      return talk;
    },
  };
}
