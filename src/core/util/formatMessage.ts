/** The values for a message's placeholders, by name or position. A number can also choose a plural form. */
export type MessageArgs = { readonly [name: string]: string | number };

/** How a language writes numbers and chooses plural forms. */
interface MessageLocale {
  readonly plural: Pick<Intl.PluralRules, 'select'>;
  readonly number: (value: number) => string;
}

/**
 * Fills in a message. It may contain `{name}` and ICU's plural syntax, `{n, plural, =0 {none} one {# tool} other {#
 * tools}}`, with as many forms as the language has. A placeholder without a value stays. Values are inserted as they
 * are, even if they contain placeholders.
 */
export function formatMessage(message: string, args: MessageArgs, locale: MessageLocale): string {
  if (!message.includes('{')) return message;
  let text = '';
  for (const piece of pieces(message))
    text += piece.kind === 'text' ? piece.text : (filled(piece.text, args, locale) ?? `{${piece.text}}`);
  return text;
}

function filled(inside: string, args: MessageArgs, locale: MessageLocale): string | undefined {
  const [name = '', type = ''] = inside.split(',', 2);
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (typeof value !== 'number') return value;
  if (type.trim() !== 'plural') return locale.number(value);
  const forms = new Map<string, string>();
  let selector = '';
  for (const { kind, text } of pieces(inside.slice(name.length + type.length + 2))) {
    if (kind === 'text') selector = text.trim();
    else forms.set(selector, text);
  }
  const form = forms.get(`=${value}`) ?? forms.get(locale.plural.select(value)) ?? forms.get('other');
  return form && formatMessage(form.replaceAll('#', `{${name}}`), args, locale);
}

interface MessagePiece {
  readonly kind: 'text' | 'braces';
  /** A piece of text, or the text between two braces. */
  readonly text: string;
}

/** Splits a message into text and its outermost braces. An unclosed brace counts as text. */
function* pieces(message: string): Generator<MessagePiece> {
  let start = 0;
  let depth = 0;
  let open = 0;
  for (let at = 0; at < message.length; at++) {
    if (message[at] === '{' && depth++ === 0) open = at;
    if (message[at] !== '}' || depth === 0 || --depth > 0) continue;
    if (open > start) yield { kind: 'text', text: message.slice(start, open) };
    yield { kind: 'braces', text: message.slice(open + 1, at) };
    start = at + 1;
  }
  if (start < message.length) yield { kind: 'text', text: message.slice(start) };
}
