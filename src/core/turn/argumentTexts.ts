// Texts for a model about the arguments of its calls.

import { declaredChange, propertiesOf, requiredOf, type Tool } from '../catalog/tool';
import { finderOf, folderListerOf, idSources, isPath, listerOfNames } from '../code/idSources';
import { mayChange } from '../code/readsByName';
import { toolSignature } from '../code/runScript';
import { scriptName } from '../code/scriptName';
import { partSignature } from '../code/signature';
import type { ResultPart } from '../conversation/transcript';
import type { Call, ToolRun } from '../ports';
import { definitionOf } from '../usage/tokens';
import { cut } from '../util/cut';
import { asObject, jsonText } from '../util/objects';
import { oneLine } from '../util/plainText';
import { unknownArguments } from './fitArguments';

/** The maximum number of characters of a message, of mistakes in it, of arguments whose ids are explained, and of a name. */
const MAX_MESSAGE = 1_600;
/** The maximum number of wrong parts of arguments that are rendered, and of characters of one. */
const MAX_WRONG = 2;
const MAX_PART = 500;
/** The number of characters from which on a signature beside a wrong part is short. */
const MAX_SIGNATURE = 600;
const MAX_MISTAKES = 8;
const MAX_IDS = 50;
const MAX_NAME = 60;
/** The maximum number of characters of a call that is shown, and of a list of names. */
const MAX_CALL = 300;
const MAX_LISTED = 400;
/** The maximum number of objects whose unknown fields are named after a result. */
const MAX_UNKNOWN = 3;

const HAS_RUN = "[The call has run. Correct what it made, don't repeat it.]";
const FAILED_BEFORE = '[The same call failed before. Change its arguments, or do without it.]';

/** Says what is wrong with arguments, with what often corrects it at once: the right place, and the signature. */
export function misfitWords(
  tool: Tool,
  input: Call['input'],
  mistakes: readonly string[],
  tools: readonly Tool[],
): string {
  const { outputSchema: _, ...called } = tool;
  const schema = tool.inputSchema;
  const lines = new Set(mistakes.map((line) => withSource(line, tool, tools)));
  for (const { path, names } of unknownArguments(input, schema))
    for (const [name, advice] of names) {
      const noSuch = `${cut(path === '' ? name : `${path}.${name}`, MAX_NAME)}: there is no such argument`;
      lines.delete(`${noSuch}.`);
      lines.add(`${noSuch}${inBrackets(advice)}.`);
    }
  const more = lines.size - MAX_MISTAKES;
  // The arguments that the model gave come first.
  const query = cut(Object.keys(input).join(' '), MAX_MESSAGE);
  const signed = { sources: idSources(tools), query };
  const signature = toolSignature(called, 'brief', signed);
  const parts = wrongParts(tool, [...lines].slice(0, MAX_MISTAKES), signature);
  // A long signature is mostly what the wrong part isn't.
  const isLong = parts.length > 0 && signature.length > MAX_SIGNATURE;
  return cut(
    [
      `The arguments of ${scriptName(tool.modelName)} don't fit:`,
      ...[...lines].slice(0, MAX_MISTAKES).map((line) => `- ${line}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
      ...parts.map((part) => `The right form: ${part}`),
      `Call it as ${isLong ? toolSignature(called, 'short', signed) : signature}`,
    ].join('\n'),
    MAX_MESSAGE,
  );
}

/** Adds to a mistake which tool lists the names that a missing argument can have. The signature says it of ids. */
function withSource(mistake: string, tool: Tool, tools: readonly Tool[]): string {
  const [name = ''] = mistake.split(':');
  const isMissing = mistake === `${name}: is required, but missing.`;
  const lister = isMissing ? listerOfNames(tool, name, tools) : undefined;
  return lister ? `${mistake.slice(0, -1)} (from ${scriptName(lister.modelName)}).` : mistake;
}

/** Renders the wrong parts of arguments whole, or what is around unknown ones, unless the signature shows them so. */
function wrongParts(tool: Tool, mistakes: readonly string[], signature: string): readonly string[] {
  const [shown, required] = [withoutWords(signature), requiredOf(tool.inputSchema)];
  const parts = new Set<string>();
  for (const line of mistakes) {
    const names = (line.split(':')[0] ?? '').split('.').filter((name) => Number.isNaN(Number(name)));
    for (const path of [names, names.slice(0, -1)]) {
      const part = partSignature(definitionOf(tool).definition, path, 'brief', MAX_PART);
      if (part === undefined) continue;
      const type = withoutWords(part);
      const isShown = [type, type.replace(': ', '?: ')].some((one) => shown.includes(one));
      const isKnown = isShown || (path.length === 1 && required.has(path[0] ?? ''));
      // The mistake itself names a plain type.
      if (!isKnown && (type.includes('{') || type.includes('"'))) parts.add([...path.slice(0, -1), part].join('.'));
      break;
    }
  }
  return [...parts].slice(0, MAX_WRONG);
}

function withoutWords(signature: string): string {
  const [first = '', ...others] = signature.split(' /*');
  return [first, ...others.map((text) => text.slice(text.indexOf('*/') + 2))].join('');
}

function inBrackets(advice: string): string {
  return advice === '' ? '' : ` (${cut(advice, MAX_NAME)})`;
}

/** Names the arguments that a tool doesn't have, and those that it has. */
function unknownWords({ tool, input }: Pick<Call, 'tool' | 'input'>): readonly string[] {
  const own = tool.inputSchema.additionalProperties ? "in this tool's schema" : 'arguments of this tool';
  return unknownArguments(input, tool.inputSchema, !mayChange(tool))
    .slice(0, MAX_UNKNOWN)
    .map(({ path, names, known }) => {
      const given = [...names].map(([name, advice]) => `${cut(name, MAX_NAME)}${inBrackets(advice)}`);
      const has = [...names.values()].includes('') ? `. It has: ${cut(known.join(', '), MAX_LISTED)}` : '';
      const what = path === '' ? own : `fields of ${cut(path, MAX_NAME)}`;
      return oneLine(`[Not ${what}: ${cut(given.join(', '), MAX_LISTED)}${has}]`);
    });
}

/** Says how `call_tool` is called if everything but a tool's own argument "name" was written beside the tool's name. */
export function ownNameWords({ modelName, inputSchema }: Tool, given: Call['input']): string | undefined {
  const args = { name: '…', ...given };
  const [known, required] = [propertiesOf(inputSchema), requiredOf(inputSchema)];
  const isNext =
    required.has('name') &&
    !Object.hasOwn(given, 'name') &&
    Object.keys(given).length > 0 &&
    [...required].every((key) => Object.hasOwn(args, key)) &&
    Object.keys(args).every((key) => Object.hasOwn(known, key));
  if (!isNext) return undefined;
  const call = cut(jsonText({ name: scriptName(modelName), arguments: args }), MAX_CALL);
  return `A tool's own "name" belongs inside "arguments": ${call}`;
}

export type Note = Extract<ResultPart, { type: 'text' }>;

interface MadeCall extends Pick<Call, 'tool' | 'input'> {
  /** Whether its tool has answered the same call with an error before. */
  readonly hadFailed: boolean;
  /** How to read the kept result whose id the call was given. */
  readonly keptWords?: string | undefined;
}

/**
 * Returns the notes on a tool's answer for the model. They name the arguments that the tool doesn't have, since most
 * servers ignore these without a word. After an error, they also name a tool that finds the right values.
 */
export function notesOn({ outcome, answered }: ToolRun, call: MadeCall, tools: readonly Tool[]): readonly Note[] {
  if (outcome !== 'ok' && !answered) return [];
  const notes = unknownWords(call);
  const found = answered ? finderWords(call, tools) : [];
  const again = answered && call.hadFailed ? [FAILED_BEFORE] : [];
  const ran = outcome === 'ok' && notes.length > 0 && declaredChange(call.tool) ? [HAS_RUN] : [];
  return [...notes, ...ran, ...found, ...again].map((text) => ({ type: 'text', text }));
}

/** Says which tools list the ids that a call was given, or else how what the tool reads is found. */
function finderWords({ tool, input, keptWords }: MadeCall, tools: readonly Tool[]): readonly string[] {
  if (keptWords !== undefined) return [`[${keptWords}]`];
  const sources = idSources(tools);
  const words = Object.keys(input)
    .slice(0, MAX_IDS)
    .flatMap((name) => {
      const description = asObject(propertiesOf(tool.inputSchema)[name])?.description;
      const lister = sources(tool, name, typeof description === 'string' ? description : '');
      return lister ? [`${name} comes from ${scriptName(lister.modelName)}`] : [];
    });
  if (words.length > 0) return [`[${words.join(', ')}.]`];
  const finder = Object.keys(input).length > 0 ? finderOf(tool, tools) : undefined;
  const found = listingAround(tool, input, tools) ?? (finder && scriptName(finder.modelName));
  return found === undefined ? [] : [`[${found} shows what exists.]`];
}

/** Returns a call that lists the folder of the file or folder that a tool was given. */
function listingAround(tool: Tool, input: Call['input'], tools: readonly Tool[]): string | undefined {
  const given = Object.entries(input).find(([name]) => isPath(name))?.[1];
  const lister = folderListerOf(tool, tools);
  if (typeof given !== 'string' || given.length < 2 || !lister) return undefined;
  // A separator at the end doesn't count.
  const end = Math.max(...['/', '\\'].map((separator) => given.lastIndexOf(separator, given.length - 2)));
  const parent = end < 0 ? '.' : given.slice(0, Math.max(end, 1));
  return cut(`${scriptName(lister[0].modelName)}(${jsonText({ [lister[1]]: parent })})`, MAX_CALL);
}
