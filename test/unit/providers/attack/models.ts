// The models that the doubles play.
import type { Answer, Chance, Wire } from './chance';
import { claude } from './claude';
import { gpt } from './gpt';

const CLAUDE = { binds: false, system: false, changes: false, forces: true, code: true };
const GPT = { searches: true, adds: true, late: false, reasons: true };
/** @param wide whether the model sometimes makes many calls at once */
export const MODELS: {
  readonly [name: string]: (chance: Chance, wide?: boolean) => (body: Wire, betas: readonly string[]) => Answer;
} = {
  'claude-opus-5-5': (chance, wide) =>
    claude(
      { ...CLAUDE, name: 'claude-opus-5-5', binds: true, system: true, changes: true, forces: false },
      chance,
      wide,
    ),
  'claude-fable-5-2': (chance, wide) =>
    claude(
      { ...CLAUDE, name: 'claude-fable-5-2', binds: true, system: true, changes: true, forces: false },
      chance,
      wide,
    ),
  'claude-haiku-5-5': (chance, wide) =>
    claude(
      { ...CLAUDE, name: 'claude-haiku-5-5', binds: true, system: true, forces: false, code: false },
      chance,
      wide,
    ),
  'claude-opus-5': (chance, wide) =>
    claude({ ...CLAUDE, name: 'claude-opus-5', system: true, changes: true }, chance, wide),
  'claude-sonnet-5': (chance, wide) => claude({ ...CLAUDE, name: 'claude-sonnet-5' }, chance, wide),
  'claude-sonnet-4-6': (chance, wide) => claude({ ...CLAUDE, name: 'claude-sonnet-4-6' }, chance, wide),
  'gpt-6-sol': (chance, wide) => gpt({ ...GPT, name: 'gpt-6-sol', late: true }, chance, wide),
  'gpt-5.6-sol': (chance, wide) => gpt({ ...GPT, name: 'gpt-5.6-sol', late: true }, chance, wide),
  'gpt-5.4': (chance, wide) => gpt({ ...GPT, name: 'gpt-5.4' }, chance, wide),
  'gpt-4.1': (chance, wide) =>
    gpt({ searches: false, adds: false, late: false, reasons: false, name: 'gpt-4.1' }, chance, wide),
};
