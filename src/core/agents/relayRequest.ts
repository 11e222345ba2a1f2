import type { CallOutcome, ToolCall, Transcript } from '../conversation/transcript';
import type { ModelPort } from '../ports';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import type { TurnServices } from '../turn/turnServices';
import type { TokenCounter } from '../usage/tokenCounter';
import type { AgentTool } from './agentCatalog';
import type { RelayTurns } from './relayTurns';

/** The services that all requests of other agents to our models share. */
export interface RelayDeps {
  readonly services: TurnServices;
  readonly turns: RelayTurns;
  /** Logs problems that can't be reported to the agent. */
  readonly log: (message: string) => void;
  /** Reads how a call ended from the text of its result, since an agent reports nothing else. */
  readonly outcomeOf?: (text: string) => CallOutcome;
}

/** A request of another agent (a chat mode or an extension) to one of our models. */
export interface RelayRequest {
  readonly port: ModelPort;
  /** The agent's own instructions. */
  readonly system: string;
  /** The conversation, completed with the stored parts of earlier replies. Calls have the agent's tool names. */
  readonly transcript: Transcript;
  readonly tools: readonly AgentTool[];
  /** Whether the agent demands a call, not an answer. */
  readonly mustCall: boolean;
}

/** A request with all inputs of its rounds' plans. */
export interface PlannedRelay extends RelayRequest {
  readonly counter: TokenCounter;
  /** The settings that apply to this model. */
  readonly settings: Settings;
  readonly pins: Pins;
}

/** Receives the reply for the agent. */
export interface RelaySink {
  text(delta: string): void;
  call(call: ToolCall): void;
}
