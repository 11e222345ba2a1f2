// Reads a server's resources, resource templates and prompts. Each becomes an entry that is found and called like a
// tool.

import { type JsonSchema, toolId, type UnnamedTool } from '../../../core/catalog/tool';
import { isObject } from '../../../core/util/objects';
import { hiddenIn, oneLine } from '../../../core/util/plainText';
import { boundDescription, boundName } from '../../toolList';
import type { ListedItem } from '../connection/connection';

/** The maximum length of a URI or name, in characters. */
const MAX_ADDRESS = 2_000;
/** A prompt or template with more arguments is left out. */
const MAX_ARGUMENTS = 50;
/** The maximum lengths of a resource's type and of an argument's description, in characters. */
const MAX_TYPE = 80;
const MAX_ABOUT = 500;

/** The kinds as users and models read them. */
const KINDS = { resource: 'Resource', template: 'Resource template', prompt: 'Prompt' };

/** Converts list entries to tools. Unusable entries and repeated addresses are left out. */
export function readItems(server: string, listed: readonly ListedItem[]): readonly UnnamedTool[] {
  const byId = new Map<string, UnnamedTool>();
  for (const entry of listed) {
    const item = readItem(server, entry);
    if (item && !byId.has(item.id)) byId.set(item.id, item);
  }
  return [...byId.values()];
}

function readItem(server: string, { kind, address, about }: ListedItem): UnnamedTool | undefined {
  const inputSchema = schemaOf(kind, address, about);
  if (address === '' || address.length > MAX_ADDRESS || !inputSchema) return undefined;
  const name = boundName(`${kind}:${address}`);
  const title = oneLine((text(about.title) || text(about.name)).slice(0, MAX_ABOUT));
  const type = oneLine(text(about.mimeType).slice(0, MAX_TYPE));
  const size = typeof about.size === 'number' && about.size >= 0 ? `${about.size.toLocaleString('en')} bytes` : '';
  const facts = [type, size].filter(Boolean).join(', ');
  const given = text(about.description) || title || address;
  const unseen = hiddenIn(`${text(about.title)} ${text(about.name)} ${given}`.slice(0, MAX_ADDRESS));
  return {
    id: toolId(server, name),
    server,
    name,
    invokeName: toolId(server, name),
    ...(title === '' ? {} : { title }),
    description: boundDescription(`${KINDS[kind]}${facts && ` (${facts})`}: ${given}`),
    inputSchema,
    annotations: { readOnlyHint: true },
    origin: 'mcp',
    ...(unseen === '' ? {} : { unseen }),
    item: { kind, address },
  };
}

/** Returns the schema of the arguments of a prompt or template; undefined if there are too many. */
function schemaOf(kind: ListedItem['kind'], address: string, about: ListedItem['about']): JsonSchema | undefined {
  const fields = kind === 'prompt' ? about.arguments : kind === 'template' ? variablesOf(address) : [];
  const named = (Array.isArray(fields) ? fields : []).filter(isNamed);
  if (named.length > MAX_ARGUMENTS) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, description }) => {
        const about = oneLine(text(description).slice(0, MAX_ABOUT));
        return [name, { type: 'string', ...(about === '' ? {} : { description: about }) }];
      }),
    ),
    required: named.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

interface PromptArgument {
  readonly name: string;
  readonly description?: unknown;
  readonly required?: unknown;
}

function isNamed(value: unknown): value is PromptArgument {
  return isObject(value) && typeof value.name === 'string' && value.name !== '';
}

/** Returns the variables of a URI template (RFC 6570), without operators and modifiers. */
function variablesOf(template: string): readonly PromptArgument[] {
  const [, ...expressions] = template.split('{');
  const written = expressions.flatMap((part) => (part.split('}')[0] ?? '').split(','));
  const names = written.map((name) => {
    const [unstarred = ''] = name.slice('+#./;?&'.includes(name[0] ?? ' ') ? 1 : 0).split('*');
    return unstarred.split(':')[0] ?? '';
  });
  return [...new Set(names)].map((name) => ({ name, required: true }));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
