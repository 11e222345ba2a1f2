/** The attributes that say what an element is and does. Generated ids aren't among them. */
const SHOWN =
  /^(class|role|aria-(?!(?:labelledby|controls|describedby|owns|activedescendant)$).*|tabindex|title|style|href|value|type|open|hidden|disabled|placeholder|maxlength|data-.*)$/;
/** The length up to which an element and all that is in it are one line. */
const WIDTH = 400;

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

/** Returns a line for each element with a text or an attribute, indented by depth, or one for a small part. */
export function outline(element: Element): string[] {
  const line = lineOf(element);
  const inner = [...element.children].flatMap(outline);
  const isPlain = line === element.localName;
  const flat = `${line} { ${inner.join('; ')} }`;
  const isSmall = flat.length <= WIDTH && inner.every((each) => !each.startsWith(' '));
  if (isSmall && inner.length > (isPlain ? 1 : 0)) return [flat];
  return isPlain ? inner : [line, ...inner.map((each) => ` ${each}`)];
}
