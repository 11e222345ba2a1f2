import { oneLine } from '../util/plainText';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Names that a function can't have in JavaScript. */
const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|let|static|implements|interface|package|private|protected|public|arguments|eval)$/;

/**
 * Returns the name of a tool in scripts: its model name, with `_` in place of each character that isn't allowed in
 * identifiers.
 */
export function scriptName(modelName: string): string {
  const name = modelName.replace(/[^A-Za-z0-9_]/g, '_');
  return /^\d/.test(name) || RESERVED.test(name) ? `_${name}` : name;
}

export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** Returns untrusted text as an exact literal. Invisible characters are written as escapes. */
export function stringLiteral(text: string): string {
  const json = JSON.stringify(text);
  if (oneLine(text) === text) return json;
  return Array.from(json, (char) => (char > '~' ? `\\u{${char.codePointAt(0)?.toString(16)}}` : char)).join('');
}
