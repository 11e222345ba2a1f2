import type { ToolCall, Transcript } from '../conversation/transcript';
import type { ModelPort } from '../ports';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import type { TokenCounter } from '../usage/tokenCounter';
import type { AgentTool } from './agentCatalog';

/** A request that another agent (a chat mode, an extension) makes of one of our models. */
export interface RelayRequest {
  readonly port: ModelPort;
  /** The caller's own instructions. */
  readonly system: string;
  /** The conversation, with what was kept of earlier replies put back; calls go by the caller's names. */
  readonly transcript: Transcript;
  readonly tools: readonly AgentTool[];
  /** The caller wants a call, not an answer. */
  readonly mustCall: boolean;
}

/** A request with everything that its rounds are planned from. */
export interface PlannedRelay extends RelayRequest {
  /** Counts for this model. */
  readonly counter: TokenCounter;
  /** The settings that hold for this model. */
  readonly settings: Settings;
  readonly pins: Pins;
}

/** Receives the reply for the agent. */
export interface RelaySink {
  text(delta: string): void;
  call(call: ToolCall): void;
}
