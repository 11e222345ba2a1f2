// The webview's store: it takes the host's messages in, and holds everything that React draws.

import type { ExchangeView } from '../src/inspector/protocol/exchange';
import type { ToWebview } from '../src/inspector/protocol/messages';
import { applyPatch } from '../src/inspector/protocol/patch';
import type {
  AnyPinTarget,
  HostCommand,
  PlayQuestion,
  SuggestRequest,
  ToHost,
} from '../src/inspector/protocol/requests';
import type { Route } from '../src/inspector/protocol/route';
import type { Pin, ToolDetail, TriedView, ViewState } from '../src/inspector/protocol/view';
import { type Nav, type RoundPlace, restoreNav } from './nav';
import { createAsker, type Played } from './playgroundAsker';
import type { VsCodeApi } from './vscodeApi';

/** Everything that the app is drawn from. */
export interface Snapshot {
  /** Undefined until the host's first answer. */
  readonly state?: ViewState;
  /** `performance.now()` at the time when `state` arrived. Timers count from there. */
  readonly receivedAt: number;
  readonly details: ReadonlyMap<string, ToolDetail>;
  /** The host's failures, newest last, until the user dismisses them. */
  readonly failures: readonly string[];
  readonly nav: Nav;
  /** How often the user came to a turn from elsewhere, such as from a line in the chat. */
  readonly arrived: number;
  /** The playground's last answer. */
  readonly played?: Played;
  /** The request and reply that were last asked for. */
  readonly exchange?: ExchangeView;
  /** The last run of each tool from its form, by the tool's id. The value is undefined while the tool runs. */
  readonly tried: ReadonlyMap<string, TriedView | undefined>;
}

/** Holds the app's state outside React, with all actions of the app. */
export interface Store {
  getSnapshot(): Snapshot;
  /** Calls `listener` after each change. Returns a function that stops the calls. */
  subscribe(listener: () => void): () => void;
  receive(message: ToWebview): void;
  post(message: ToHost): void;
  /** Runs a command of the host. `server` limits it to one server, and `tool` (an id) to one of its tools. */
  run(command: HostCommand, server?: string, tool?: string): void;
  pin(target: AnyPinTarget, pin: Pin): void;
  /** Puts back what the last pin of a tool or server replaced; once. */
  undoPin(): void;
  copy(text: string): void;
  /** Shows the request and reply of a round in the story, or hides them. */
  openExchange(round: RoundPlace | undefined): void;
  /** Opens a whole request and reply in an editor. */
  openWhole(round: RoundPlace): void;
  /** Runs a tool with these arguments, after a confirmation in VS Code. */
  tryTool(id: string, input: { readonly [name: string]: unknown }): void;
  /** Asks for a tool's details, unless they were asked for before. */
  requestTool(id: string): void;
  /** Asks for a turn's timeline; undefined asks for the newest turn's. */
  watch(turn: number | undefined): void;
  /** Changes the user's place and choices, and remembers them. */
  navigate(change: Partial<Nav>): void;
  /** Shows a failure of the webview in the same way as the host's failures. */
  fail(message: string): void;
  dismissFailures(): void;
  /** Asks the playground. `about` is everything else that the answer depends on. */
  play(question: PlayQuestion, about: string): void;
  suggest(act: SuggestRequest['act'], id: string): void;
  /** Opens the playground with a question. */
  openPlayground(question: Partial<PlayQuestion>): void;
}

export function createStore(api: VsCodeApi): Store {
  const listeners = new Set<() => void>();
  let requests = 0;
  /** The request for each tool's details, by id, if it was answered or is still running. */
  const asked = new Map<string, number>();
  /** Ids of the running tools, by the number of the request. */
  const trying = new Map<number, string>();
  let watched: number | undefined;
  /** What the last pin replaced. */
  let replaced: { readonly target: AnyPinTarget; readonly pin: Pin } | undefined;
  /** The state with patches that aren't drawn yet. */
  let latest: ViewState | undefined;
  let snapshot: Snapshot = {
    receivedAt: 0,
    details: new Map(),
    tried: new Map(),
    failures: [],
    arrived: 0,
    nav: restoreNav(api.getState()),
  };

  function update(change: Partial<Snapshot>): void {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  }
  function show(state: ViewState): void {
    latest = state;
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
  function navigate(change: Partial<Nav>): void {
    update({ nav: { ...snapshot.nav, ...change } });
    api.setState(snapshot.nav);
  }
  function openPlayground(question: Partial<PlayQuestion>): void {
    navigate({ section: 'playground', play: { ...snapshot.nav.play, ...question } });
  }
  function goTo(place: Route): void {
    if (place.section === 'playground') openPlayground({ mode: 'query', query: place.query });
    else if (place.section === 'tools') navigate({ section: 'tools', filter: place.filter });
    // The newest turn is shown by default, so it needs no number.
    else {
      navigate({ section: 'turns', turn: latest?.turns[0]?.turn === place.turn ? undefined : place.turn });
      update({ arrived: snapshot.arrived + 1 });
    }
  }
  function pinOf({ kind, id }: AnyPinTarget): Pin | undefined {
    if (kind === 'tool') return latest?.tools.find((tool) => tool.id === id)?.pin;
    return latest?.servers.find((server) => kind === 'server' && server.name === id)?.pin;
  }
  function requestTool(id: string): void {
    if (asked.has(id)) return;
    asked.set(id, post({ type: 'getTool', id }));
  }
  /** Allows a failed request to be sent again. */
  function forget(request: number): void {
    asker.failed(request);
    const tried = trying.get(request);
    if (tried !== undefined) update({ tried: new Map([...snapshot.tried].filter(([id]) => id !== tried)) });
    for (const [id, own] of asked) if (own === request) asked.delete(id);
  }
  /**
   * Fetches new details for open tools, whose old details stay visible meanwhile. Other tools are asked for when the
   * user opens them.
   */
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
          // Many small messages are drawn together, since drawing after each one would take longer than all of them.
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
    pin: (target, pin) => {
      const before = pinOf(target);
      replaced = before === undefined ? undefined : { target, pin: before };
      post({ type: 'pin', target, pin });
    },
    undoPin: () => {
      if (replaced) post({ type: 'pin', ...replaced });
      replaced = undefined;
    },
    copy: (text) => void post({ type: 'copy', text }),
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
    suggest: (act, id) => void post({ type: 'suggest', act, id }),
    openPlayground,
  };
}
