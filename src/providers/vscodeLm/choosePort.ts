import type * as vscode from 'vscode';
import type { ModelPort } from '../../core/ports';
import type { NativeModels } from '../native/nativeModels';
import { createVscodeLmPort } from './vscodeLmPort';

/** Chooses how to call a model: our own models directly, all others through VS Code. This is decided only here. */
export function choosePort(model: vscode.LanguageModelChat, natives: readonly NativeModels[]): ModelPort {
  const own = natives.find(({ service }) => service.vendor === model.vendor)?.port(model.id);
  return own ?? createVscodeLmPort(model);
}
