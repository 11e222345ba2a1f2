import type { ToolExample } from '../catalog/tool';

/** The user's settings (`toolsearch.…`), after validation. Keys are those of package.json without the prefix. */
export interface Settings {
  readonly mode: 'auto' | 'on' | 'off';
  readonly autoContextPercent: number;
  readonly autoMaxTools: number;
  /** `auto`, a built-in strategy or a registered one. */
  readonly strategy: string;
  readonly delivery: 'auto' | 'server' | 'client' | 'local' | 'bridge';
  readonly scope: 'mcp' | 'all';
  /** Server → globs over its own tool names. */
  readonly eagerTools: { readonly [server: string]: readonly string[] };
  readonly deferredTools: { readonly [server: string]: readonly string[] };
  readonly maxResults: number;
  readonly maxResultsLimit: number;
  /** Tool id → examples. */
  readonly examples: { readonly [id: string]: readonly ToolExample[] };
  readonly examplesMaxPerTool: number;
  readonly examplesIncludeDescriptions: boolean;
  readonly examplesTags: readonly string[];
  readonly guidance: boolean;
  readonly toolCallsPerTurn: number;
  readonly toolTimeoutSeconds: number;
  /** Glob of tool ids → seconds; the first that matches counts. */
  readonly toolTimeouts: { readonly [glob: string]: number };
  readonly retriesPerTool: number;
  /** Globs of tool ids that never run beside another call. */
  readonly sequentialTools: readonly string[];
  readonly searchOnlyModel: boolean;
  /** Who runs MCP servers: VS Code, or the extension's own client. */
  readonly mcpHost: 'vscode' | 'extension';
  /** Where Claude and GPT models are asked; undefined where the setting can't be used: then nothing is sent anywhere. */
  readonly anthropicBaseUrl: string | undefined;
  readonly openaiBaseUrl: string | undefined;
}

/** What holds where the user sets nothing; package.json says the same to VS Code. Keys' readers: `parseSettings.ts`. */
export const DEFAULT_SETTINGS: Settings = {
  mode: 'auto',
  autoContextPercent: 10,
  autoMaxTools: 30,
  strategy: 'auto',
  delivery: 'auto',
  scope: 'mcp',
  eagerTools: {},
  deferredTools: {},
  maxResults: 5,
  maxResultsLimit: 20,
  examples: {},
  examplesMaxPerTool: 3,
  examplesIncludeDescriptions: true,
  examplesTags: [],
  guidance: true,
  toolCallsPerTurn: 50,
  toolTimeoutSeconds: 60,
  toolTimeouts: {},
  retriesPerTool: 2,
  sequentialTools: [],
  searchOnlyModel: false,
  mcpHost: 'vscode',
  anthropicBaseUrl: 'https://api.anthropic.com',
  openaiBaseUrl: 'https://api.openai.com/v1',
};

/** Every key below `toolsearch.`, as package.json contributes them. */
export const SETTING_KEYS = [
  'mode',
  'auto.contextPercent',
  'auto.maxTools',
  'strategy',
  'delivery',
  'scope',
  'eagerTools',
  'deferredTools',
  'maxResults',
  'maxResultsLimit',
  'examples',
  'examples.maxPerTool',
  'examples.includeDescriptions',
  'examples.tags',
  'guidance',
  'limits.toolCallsPerTurn',
  'limits.toolTimeoutSeconds',
  'limits.toolTimeouts',
  'limits.retriesPerTool',
  'sequentialTools',
  'searchOnlyModel',
  'mcp.host',
  'anthropic.baseUrl',
  'openai.baseUrl',
] as const;
export type SettingKey = (typeof SETTING_KEYS)[number];

/** The user's own choice for a tool or a server; no entry means auto. Kept in the workspace's state, not in settings. */
export interface Pins {
  readonly tools: { readonly [id: string]: 'eager' | 'deferred' };
  readonly servers: { readonly [server: string]: 'eager' | 'deferred' };
}

export const NO_PINS: Pins = { tools: {}, servers: {} };
