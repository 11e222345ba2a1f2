import type * as vscode from 'vscode';
import type { ModelPort } from '../../core/ports';
import { createVscodeLmPort } from './vscodeLmPort';

/** Models that the extension itself offers in VS Code. */
export interface OwnModels {
  readonly vendor: string;
  port(id: string): ModelPort | undefined;
}

/** Returns the port of a model. The extension's own models are called directly, all others through VS Code. */
export function choosePort(model: vscode.LanguageModelChat, own: readonly OwnModels[]): ModelPort {
  return own.find(({ vendor }) => vendor === model.vendor)?.port(model.id) ?? createVscodeLmPort(model);
}
