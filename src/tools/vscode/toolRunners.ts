// Creates the runners for the calls of a chat or client.

import type { Tool } from '../../core/catalog/tool';
import type { ScriptQuestion } from '../../core/code/codeDeps';
import { hiddenWords } from '../../core/planning/hidden';
import { type Call, type ToolRun, type ToolRunner, toolMessage } from '../../core/ports';
import type { Pins } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { createTimeGate } from '../callTimeLimit';
import { withLinks } from '../linkedResources';
import { withoutSecrets } from '../withoutSecrets';
import { type CallSource, Consent, type ConsentDeps } from './consent';
import { invokeInVscode } from './invokeTool';
import { createStructuredCheck } from './structuredTools';

/** The options of a turn's calls, and the functions called while they run. */
interface RunnerOptions {
  readonly checkArguments: ToolRunner['checkArguments'];
  readonly onSlow: (id: string, seconds: number) => void;
  readonly onProgress: (id: string, text: string) => void;
}

interface ToolRunnersDeps extends ConsentDeps {
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  readonly secrets: KnownSecrets;
}

/** Runs calls of tools, whether VS Code or our own client runs their servers. */
export class ToolRunners {
  readonly #structured = createStructuredCheck();
  readonly #consent: Consent;
  readonly #deps: ToolRunnersDeps;

  constructor(deps: ToolRunnersDeps) {
    this.#deps = deps;
    this.#consent = new Consent(deps);
  }

  /** See {@link Consent.asking}. */
  asking(tool: Tool): ScriptQuestion {
    return this.#consent.asking(tool);
  }

  /** Returns why a tool isn't called if the user has hidden it. A round or a script may have got it before that. */
  #hidden(tool: Tool): ToolRun | undefined {
    const words = hiddenWords(tool, { settings: this.#deps.settings(), pins: this.#deps.pins() });
    return words === undefined ? undefined : toolMessage('refused', words);
  }

  /** Creates a runner for the calls of one chat or client. */
  runnerFor(source: CallSource, options: RunnerOptions): ToolRunner {
    const settings = this.#deps.settings();
    const { own, linked } = this.#deps.source.entry ?? {};
    const invoke = async (call: Call): Promise<ToolRun> => {
      const { tool, input, signal } = call;
      if (!own || !this.#consent.isOwn(tool))
        return this.#structured(tool.id, await invokeInVscode(call, source.token));
      const onProgress = (text: string) => options.onProgress(tool.id, text);
      // With a refusal function, the call waits until a starting server has listed its tools.
      if (this.#deps.settings().changedTools === 'ask' || call.shown)
        return own.run(tool, input, { signal, onProgress, refusal: call.refusal });
      return call.refusal() ?? own.run(tool, input, { signal, onProgress });
    };
    const readerOf = (id: string) => {
      const reader = this.#deps.source.refresh().byId.get(id);
      return reader && !this.#hidden(reader) ? reader : undefined;
    };
    const linking = linked ? withLinks(invoke, linked, readerOf, this.#deps.secrets.redact) : invoke;
    return {
      refusalOf: (tool) => this.#hidden(tool) ?? this.#deps.source.refusalOf(tool),
      checkArguments: options.checkArguments,
      consent: (call, goOn) => this.#consent.askBefore(call, source, goOn),
      time: createTimeGate({
        settings,
        isAsking: (tool) => own?.isAsking(tool) ?? false,
        limitSecondsOf: (tool) => own?.timeoutSecondsOf(tool),
        mayAsk: (tool) => this.asking(tool) === 'oneByOne',
        onSlow: (tool, seconds) => options.onSlow(tool.id, seconds),
      }),
      changedSince: (call) => this.#consent.changedSince(call),
      invoke: (call) => withoutSecrets(call.tool, linking(call), this.#deps.secrets),
    };
  }
}
