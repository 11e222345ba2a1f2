import { declaredChange, type Tool } from '../catalog/tool';
import { MAKING, ownWords } from './idSources';

/** Verbs of tools that only read, and words after which a name says something else. */
const READING: ReadonlySet<string> = new Set(['find', 'get', 'list', 'read', 'search']);
const CHANGING: ReadonlySet<string> = new Set(['and', 'or', 'delete', 'remove', 'replace', 'update', 'write']);

/** Whether a tool's name says that it only reads: `list_issues`, and not `find_and_replace` or `get_or_create_issue`. */
function readsByName(tool: Tool): boolean {
  const [verb = '', ...words] = ownWords(tool);
  return READING.has(verb) && !words.some((word) => CHANGING.has(word) || MAKING.has(word));
}

/** Whether a tool may change something: as its server says, or else unless its name says that it only reads. */
export function mayChange(tool: Tool): boolean {
  return declaredChange(tool) ?? !readsByName(tool);
}
