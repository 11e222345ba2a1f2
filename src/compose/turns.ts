import * as vscode from 'vscode';
import { type AgentCall, createAgentTools } from '../core/agents/agentTools';
import type { EndpointTools, OutsideClient } from '../core/agents/endpointPort';
import { CALL_TOOL } from '../core/catalog/modelNames';
import type { Tool } from '../core/catalog/tool';
import { codeDepsOf, type ScriptHost } from '../core/code/codeDeps';
import { KeptResults } from '../core/code/keptResults';
import type { SandboxPort } from '../core/code/sandboxPort';
import type { ToolRun } from '../core/ports';
import { CallLimits } from '../core/turn/callLimits';
import { Session } from '../core/turn/session';
import type { TurnServices } from '../core/turn/turnServices';
import { choosePort } from '../providers/vscodeLm/choosePort';
import { Sandbox } from '../sandbox/sandbox';
import type { CallSource } from '../tools/vscode/consent';
import { registerLanguageModelTools } from '../ui/agents/languageModelTools';
import { READY_TIMEOUT_MS, registerParticipant } from '../ui/chat/participant';
import { keepLedger, readLedger } from '../vscode/ledgerStore';
import { whileWindowOpen } from '../vscode/whileWindowOpen';
import type { Models } from './models';
import type { Shared } from './shared';
import type { Tools } from './tools';

export interface Turns {
  readonly session: Session;
  /** Our tools as clients of the MCP endpoint call them. */
  readonly agents: EndpointTools;
  /** Runs a tool for the user as a separate turn. `name` is the tool's name for models. VS Code asks the user first. */
  readonly tryTool: (
    name: string,
    input: { readonly [name: string]: unknown },
    signal: AbortSignal,
  ) => Promise<ToolRun>;
  /** Reads a server's resource or prompt for the user. */
  readonly readItem: (item: Tool, input: { readonly [name: string]: unknown }, signal: AbortSignal) => Promise<ToolRun>;
  /** Reads the turns from before a reload, and starts to store new ones. */
  readonly load: () => Promise<void>;
}

/** Creates everything that runs turns: `@toolsearch`, the tools for other agents, and what records both. */
export function composeTurns(shared: Shared, tools: Tools, models: Models, services: TurnServices): Turns {
  const { context, stored, secrets, warn, started, closing } = shared;
  const { settings, config, source, runners, checkArguments } = tools;
  const { ledger } = services;
  const part = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  const threads = new Sandbox({ worker: part('codeWorker.cjs'), engine: part('quickjs.wasm') }, warn);
  const sandbox: SandboxPort = {
    get unavailable() {
      return threads.unavailable;
    },
    run: (code, limits, answer, signal) => whileWindowOpen(signal, (until) => threads.run(code, limits, answer, until)),
  };
  const scripts: ScriptHost = { sandbox, shapes: new Map(), kept: new KeptResults(), redact: secrets.redact };
  const asking = (tool: Tool) => runners.asking(tool);
  const session = new Session(services);
  const agentTools = createAgentTools({ services, scripts, warn });
  const runnerFor = (source: CallSource) =>
    runners.runnerFor(source, { checkArguments, onSlow: (id) => warn(`${id} takes long.`), onProgress: () => {} });
  const answer = async (call: AgentCall, token: vscode.ChatParticipantToolToken | undefined, signal: AbortSignal) => {
    await started().then(() => config.reread());
    await source.whenReady({ timeoutMs: READY_TIMEOUT_MS, signal, onWait: () => {} });
    return agentTools.answer(call, { runner: runnerFor({ token, client: clientOf(call) }), asking }, signal);
  };
  context.subscriptions.push(
    agentTools,
    registerLanguageModelTools({ named: (input) => agentTools.named(input), answer }),
    registerParticipant(participantDeps(shared, tools, models, { session, ledger, scripts })),
  );
  return {
    session,
    agents: {
      definitions: (client) => agentTools.definitions(client),
      guidance: () => agentTools.guidance(),
      // Without a chat, VS Code asks in a dialog.
      answer: (call, signal) => answer(call, undefined, signal),
    },
    tryTool: async (name, input, signal) => {
      await started();
      const call: AgentCall = { tool: CALL_TOOL, input: { name, arguments: input }, chat: 'inspector', by: 'user' };
      return agentTools.answer(call, { runner: runnerFor({}), asking }, signal);
    },
    readItem: async (item, input, signal) => {
      await started();
      const { runForUser } = await import('../core/turn/gates');
      const turn = { settings: settings.current, limits: new CallLimits(settings.current), services };
      return runForUser(runnerFor({}), { tool: item, asked: input, signal }, turn);
    },
    load: async () => {
      // Windows without a folder share their storage. Their turns aren't stored, since they would appear in every such
      // window.
      if (!context.storageUri) return;
      const file = stored.file('turns.json');
      ledger.restore(await readLedger(file, warn));
      closing.push(keepLedger(ledger, file, warn));
    },
  };
}

function participantDeps(
  { context, secrets, started }: Shared,
  { settings, config, pins, source, search, runners, checkArguments }: Tools,
  models: Models,
  {
    session,
    ledger,
    scripts,
  }: { readonly session: Session; readonly ledger: TurnServices['ledger']; readonly scripts: ScriptHost },
): Parameters<typeof registerParticipant>[0] {
  return {
    slash: {
      source,
      search,
      ledger,
      settings: () => settings.current,
      overview: () => session.overview(),
      pin: (target, pin) => pins.set(target, pin),
    },
    secrets,
    iconPath: vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png'),
    whenReady: async (options) => {
      await started().then(() => config.reread());
      return source.whenReady(options);
    },
    runTurn: ({ model, toolInvocationToken, ...question }, sink, signal) =>
      session.ask(
        {
          ...question,
          port: choosePort(model, models.own),
          code: codeDepsOf(scripts, question.chat ?? '', (tool) => runners.asking(tool)),
          runner: runners.runnerFor(
            { token: toolInvocationToken },
            {
              checkArguments,
              // This message is shown only while the call runs.
              onSlow: (id, seconds) => sink.progress(vscode.l10n.t('{0} has not answered for {1} s.', id, seconds)),
              onProgress: (id, text) => sink.progress(`${id}: ${text}`),
            },
          ),
        },
        sink,
        signal,
      ),
  };
}

/** Returns the client of the MCP endpoint that made a call; undefined if an agent of VS Code or the user made it. */
function clientOf({ by, chat }: AgentCall): OutsideClient | undefined {
  return typeof by === 'object' ? { name: by.client, session: chat, onlyByName: by.onlyByName ?? false } : undefined;
}
