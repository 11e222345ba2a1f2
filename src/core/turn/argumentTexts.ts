// Texts for a model about the arguments of its calls.

import { propertiesOf, requiredOf, type Tool } from '../catalog/tool';
import { idSources } from '../code/idSources';
import { toolSignature } from '../code/runScript';
import { scriptName } from '../code/signature';
import type { Call } from '../ports';
import { wordsOf } from '../search/text/words';
import { cut } from '../util/cut';
import { asObject, jsonText } from '../util/objects';
import { placeOf, unknownArguments, unnamed } from './fitArguments';

/** The maximum number of characters of a message, of mistakes in it, of arguments whose ids are explained, and of a name. */
const MAX_MESSAGE = 1_600;
const MAX_MISTAKES = 8;
const MAX_IDS = 50;
const MAX_NAME = 60;
/** The maximum number of characters of a call that is shown. */
const MAX_CALL = 300;

/** Says what is wrong with arguments, with what often corrects it at once: the right place, and the signature. */
export function misfitWords(
  tool: Tool,
  input: Call['input'],
  mistakes: readonly string[],
  tools: readonly Tool[],
): string {
  const { outputSchema: _, ...called } = tool;
  const schema = tool.inputSchema;
  const noSuch = (name: string) => `${cut(name, MAX_NAME)}: there is no such argument.`;
  const lines = new Set([...mistakes, ...unknownArguments(input, schema).map(noSuch)]);
  for (const name of unnamed(input, schema).slice(0, MAX_MISTAKES)) {
    const place = placeOf(name, schema);
    if (place === undefined) continue;
    lines.delete(noSuch(name));
    lines.add(`${cut(name, MAX_NAME)}: put it inside ${place}.`);
  }
  const more = lines.size - MAX_MISTAKES;
  // The arguments that the model gave come first.
  const query = cut(Object.keys(input).join(' '), MAX_MESSAGE);
  return cut(
    [
      `The arguments of ${scriptName(tool.modelName)} don't fit:`,
      ...[...lines].slice(0, MAX_MISTAKES).map((line) => `- ${line}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
      `Call it as ${toolSignature(called, 'brief', { sources: idSources(tools), query })}`,
    ].join('\n'),
    MAX_MESSAGE,
  );
}

/** Says how `call_tool` is called if a tool's own argument "name" is missing, or was taken for the tool's name. */
export function ownNameWords(name: string, given: Call['input'], tools: readonly Tool[]): string {
  const args = { name, ...given };
  const fitting = tools.filter(({ inputSchema }) => {
    const required = requiredOf(inputSchema);
    const isOwn = required.has('name') && !Object.hasOwn(given, 'name');
    const known = propertiesOf(inputSchema);
    return (
      isOwn &&
      [...required].every((key) => Object.hasOwn(args, key)) &&
      Object.keys(args).every((key) => Object.hasOwn(known, key))
    );
  });
  const [tool, ...others] = fitting;
  const said = wordsOf(name);
  const isToolName = fitting.some(({ modelName }) => wordsOf(modelName).some((word) => said.includes(word)));
  if (!tool || isToolName || Object.keys(given).length === 0) return '';
  const called = { name: others.length > 0 ? 'TOOL' : scriptName(tool.modelName), arguments: args };
  return ` A tool's own "name" belongs inside "arguments": ${cut(jsonText(called), MAX_CALL)}`;
}

/** Says which tools list the ids that a call was given; empty if none is known. */
export function idWords(tool: Tool, asked: unknown, tools: readonly Tool[]): string {
  const sources = idSources(tools);
  const words = Object.keys(asObject(asked) ?? {})
    .slice(0, MAX_IDS)
    .flatMap((name) => {
      const description = asObject(propertiesOf(tool.inputSchema)[name])?.description;
      const lister = sources(tool, name, typeof description === 'string' ? description : '');
      return lister ? [`${name} comes from ${scriptName(lister.modelName)}`] : [];
    });
  return words.length > 0 ? `[${words.join(', ')}.]` : '';
}
