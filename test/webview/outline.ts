/** The attributes that say what an element is and does. Generated ids aren't among them. */
const SHOWN =
  /^(class|role|aria-(?!(?:labelledby|controls|describedby|owns|activedescendant)$).*|tabindex|title|style|href|value|type|open|hidden|disabled|placeholder|maxlength|data-.*)$/;

/** Returns a line for an element: its attributes and its own text. */
export function lineOf(element: Element): string {
  const attributes = [...element.attributes]
    .filter(({ name, value }) => SHOWN.test(name) && value !== '')
    .map(({ name, value }) => (name === 'class' ? `.${value.trim().replace(/ +/g, '.')}` : `[${name}=${value}]`));
  const own = [...element.childNodes]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .map((node) => node.nodeValue);
  return [element.localName, ...attributes, JSON.stringify(own.join('|'))].join(' ').replace(/ ""$/, '');
}

/** Returns a line for each element with a text or an attribute, indented by depth. */
export function outline(element: Element, depth = 0): string[] {
  const line = lineOf(element);
  const isPlain = line === element.localName;
  const inner = [...element.children].flatMap((child) => outline(child, isPlain ? depth : depth + 1));
  return isPlain ? inner : [`${' '.repeat(depth)}${line}`, ...inner];
}

/** Returns the lines that only one of two outlines has, each with a sign. */
export function changes(before: readonly string[], after: readonly string[]): string[] {
  const lost = before.filter((line) => !after.includes(line)).map((line) => `- ${line.trim()}`);
  return [...lost, ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line.trim()}`)];
}
