import type * as vscode from 'vscode';
import type { ModelPort } from '../../core/ports';
import type { NativeModels } from '../native/nativeModels';
import { createVscodeLmPort } from './vscodeLmPort';

/** Returns the port of a model. The extension's own models are called directly, all others through VS Code. */
export function choosePort(
  model: vscode.LanguageModelChat,
  own: readonly Pick<NativeModels, 'vendor' | 'port'>[],
): ModelPort {
  return own.find(({ vendor }) => vendor === model.vendor)?.port(model.id) ?? createVscodeLmPort(model);
}
