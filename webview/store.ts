import type { ExchangeView } from '../src/inspector/protocol/exchange';
import type { ToWebview } from '../src/inspector/protocol/messages';
import { applyPatch } from '../src/inspector/protocol/patch';
import type {
  AnyPinTarget,
  HostCommand,
  KeptExport,
  PlayQuestion,
  SuggestRequest,
  ToHost,
  WhatIfRequest,
} from '../src/inspector/protocol/requests';
import type { Route } from '../src/inspector/protocol/route';
import type { Pin, ToolDetail, TriedView, ViewState } from '../src/inspector/protocol/view';
import type { WhatIfView } from '../src/inspector/protocol/whatIf';
import { createAsker, type Played } from './asker';
import { type Nav, type RoundPlace, restoreNav } from './nav';
import type { ScriptState } from './scriptState';
import type { VsCodeApi } from './vscodeApi';

/** All that the app draws from. */
export interface Snapshot {
  /** Undefined until the host's first answer. */
  readonly state?: ViewState;
  /** `performance.now()` when `state` came: timers count on from there. */
  readonly receivedAt: number;
  readonly details: ReadonlyMap<string, ToolDetail>;
  /** Failures of the host, newest last, until they are dismissed. */
  readonly failures: readonly string[];
  readonly nav: Nav;
  /** The playground's last answer. */
  readonly played?: Played;
  /** The playground's last script. */
  readonly script?: ScriptState;
  /** The round's request and reply that were asked for last. */
  readonly exchange?: ExchangeView;
  /** The newest table of replays; undefined until its first row. */
  readonly whatIf?: WhatIfView;
  /** The last run of each tool by its form, by the tool's id; undefined while it runs. */
  readonly tried: ReadonlyMap<string, TriedView | undefined>;
}

/** The app's state, outside React, and everything it can do. */
export interface Store {
  getSnapshot(): Snapshot;
  /** Calls `listener` after each change; returns what stops that. */
  subscribe(listener: () => void): () => void;
  receive(message: ToWebview): void;
  post(message: ToHost): void;
  /** `server`: the one that the command is for alone; `tool`: of its tools one alone, by its id. */
  run(command: HostCommand, server?: string, tool?: string): void;
  pin(target: AnyPinTarget, pin: Pin): void;
  copy(text: string): void;
  /** Runs a script over the live catalog; it is the newest turn, which is followed from then on. */
  runScript(code: string): void;
  stopScript(): void;
  /** Shows the request and reply of a round in the timeline, or hides them. */
  openExchange(round: RoundPlace | undefined): void;
  /** Opens all of a request and reply in an editor. */
  openWhole(round: RoundPlace): void;
  /** Runs a tool with these arguments; VS Code asks before. */
  tryTool(id: string, input: { readonly [name: string]: unknown }): void;
  /** Asks for a tool's details, once. */
  requestTool(id: string): void;
  /** Asks for a turn's timeline; undefined follows the newest turn. */
  watch(turn: number | undefined): void;
  /** Changes where the user is, and remembers it. */
  navigate(change: Partial<Nav>): void;
  /** Shows something that went wrong here, as what the host could not do is shown. */
  fail(message: string): void;
  dismissFailures(): void;
  /** Asks the playground; `about` is everything besides the question that the answer depends on. */
  play(question: PlayQuestion, about: string): void;
  /** Asks for the table of replays; the one before is dropped. */
  askWhatIf(question: Omit<WhatIfRequest, 'type'>): void;
  stopWhatIf(): void;
  suggest(act: SuggestRequest['act'], id: string): void;
  /** Opens the playground with a question. */
  openPlayground(question: Partial<PlayQuestion>): void;
  /** Opens the playground with a script, to be edited and run. */
  openScript(code: string): void;
}

export function createStore(api: VsCodeApi): Store {
  const listeners = new Set<() => void>();
  let requests = 0;
  /** The request for each tool's details that was answered or will be. */
  const asked = new Map<string, number>();
  /** Ids of the tools that run, by the number of the request. */
  const trying = new Map<number, string>();
  let watched: number | undefined;
  /** The request of the script that runs or ran last. */
  let scriptRequest: number | undefined;
  let whatIfRequest: number | undefined;
  /** With the patches that aren't drawn yet. */
  let latest: ViewState | undefined;
  let snapshot: Snapshot = {
    receivedAt: 0,
    details: new Map(),
    tried: new Map(),
    failures: [],
    nav: restoreNav(api.getState()),
  };

  function update(change: Partial<Snapshot>): void {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  }
  function show(state: ViewState): void {
    const first = latest === undefined;
    latest = state;
    // An exported session is found again even by a page that nobody touched.
    if (first && state.origin) remember();
    const changed = snapshot.state !== undefined && snapshot.state.revision !== state.revision;
    const details = changed ? refreshDetails(state) : snapshot.details;
    update({ state, receivedAt: performance.now(), details });
  }
  function post(message: ToHost): number {
    const request = ++requests;
    api.postMessage({ request, message });
    return request;
  }
  const asker = createAsker(post);
  function remember(): void {
    const origin = latest?.origin;
    const exported: KeptExport | undefined = origin && { file: origin.file, uri: origin.uri };
    api.setState({ ...snapshot.nav, exported });
  }
  function navigate(change: Partial<Nav>): void {
    update({ nav: { ...snapshot.nav, ...change } });
    remember();
  }
  function openPlayground(question: Partial<PlayQuestion>): void {
    navigate({
      section: 'playground',
      play: { ...snapshot.nav.play, ...question },
      script: { ...snapshot.nav.script, open: false },
    });
  }
  function goTo(place: Route): void {
    if (place.section === 'playground') openPlayground({ mode: 'query', query: place.query });
    else if (place.section === 'tools') navigate({ section: 'tools', filter: place.filter });
    // The newest turn is followed by default.
    else navigate({ section: 'timeline', turn: latest?.turns[0]?.turn === place.turn ? undefined : place.turn });
  }
  function requestTool(id: string): void {
    if (asked.has(id)) return;
    asked.set(id, post({ type: 'getTool', id }));
  }
  /** Allows a failed request to be sent again. */
  function forget(request: number): void {
    asker.failed(request);
    if (request === scriptRequest) update({ script: undefined });
    const tried = trying.get(request);
    if (tried !== undefined) update({ tried: new Map([...snapshot.tried].filter(([id]) => id !== tried)) });
    for (const [id, own] of asked) if (own === request) asked.delete(id);
  }
  /** Open details stay on the screen while newer ones are fetched; others are asked for when they are opened. */
  function refreshDetails(state: ViewState): ReadonlyMap<string, ToolDetail> {
    const known = new Set(state.tools.map((tool) => tool.id));
    const open = snapshot.nav.openTools.filter((id) => asked.has(id) && known.has(id));
    asked.clear();
    for (const id of open) requestTool(id);
    return new Map([...snapshot.details].filter(([id]) => open.includes(id)));
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    receive(message) {
      switch (message.type) {
        case 'state':
          return show(message.state);
        case 'patch': {
          if (!latest) return;
          latest = applyPatch(latest, message);
          // Many small messages are drawn once: drawing each would take longer than all of them.
          if (!message.more) show(latest);
          return;
        }
        case 'tool':
          update({ details: new Map(snapshot.details).set(message.detail.id, message.detail) });
          return;
        case 'played': {
          const played = asker.answered(message.request, message.answer);
          if (played) update({ played });
          return;
        }
        case 'ranScript':
          if (message.request === scriptRequest && snapshot.script)
            update({ script: { ...snapshot.script, result: message.run } });
          return;
        case 'whatIf':
          if (message.request === whatIfRequest) update({ whatIf: message.table });
          return;
        case 'exchange':
          return update({ exchange: message.exchange });
        case 'tried':
          return update({ tried: new Map(snapshot.tried).set(message.id, message.run) });
        case 'goTo':
          return goTo(message.place);
        case 'failed':
          if (message.request !== undefined) forget(message.request);
          update({ failures: [...snapshot.failures, message.message] });
      }
    },
    post: (message) => void post(message),
    run: (command, server, tool) =>
      void post({
        type: 'run',
        command,
        ...(server === undefined ? {} : { server }),
        ...(tool === undefined ? {} : { tool }),
      }),
    pin: (target, pin) => void post({ type: 'pin', target, pin }),
    copy: (text) => void post({ type: 'copy', text }),
    runScript: (code) => {
      navigate({ turn: undefined });
      scriptRequest = post({ type: 'runScript', code });
      update({ script: { code } });
    },
    stopScript: () => void post({ type: 'stopScript' }),
    requestTool,
    openExchange: (round) => {
      navigate({ exchange: round });
      if (round) post({ type: 'getExchange', ...round });
    },
    openWhole: (round) => void post({ type: 'getExchange', ...round, whole: true }),
    tryTool: (id, input) => {
      update({ tried: new Map(snapshot.tried).set(id, undefined) });
      trying.set(post({ type: 'tryTool', id, input }), id);
    },
    watch(turn) {
      if (turn === watched) return;
      watched = turn;
      post({ type: 'watch', turn: turn ?? null });
    },
    navigate,
    fail: (message) => update({ failures: [...snapshot.failures, message] }),
    dismissFailures: () => update({ failures: [] }),
    play: asker.ask,
    askWhatIf: (question) => {
      whatIfRequest = post({ type: 'whatIf', ...question });
    },
    stopWhatIf: () => {
      whatIfRequest = undefined;
      post({ type: 'stopWhatIf' });
    },
    suggest: (act, id) => void post({ type: 'suggest', act, id }),
    openPlayground,
    openScript: (code) => {
      // The result of another script is not this script's.
      if (snapshot.script?.code !== code) update({ script: snapshot.script?.result ? undefined : snapshot.script });
      navigate({ section: 'playground', script: { open: true, code } });
    },
  };
}
