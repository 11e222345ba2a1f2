/** A piece of JavaScript with its kind, for colouring. */
export interface CodePiece {
  readonly kind: 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'call';
  readonly text: string;
}

const KEYWORDS = new Set(
  'async await break case catch class const continue default delete do else false finally for function if in instanceof let new null of return switch this throw true try typeof undefined var void while yield'.split(
    ' ',
  ),
);

/** Splits code into pieces for colouring. It takes any text and linear time, since no pattern backtracks. */
export function piecesOf(code: string): readonly CodePiece[] {
  const pieces: CodePiece[] = [];
  let plain = '';
  const push = (kind: CodePiece['kind'], text: string) => {
    if (plain !== '') pieces.push({ kind: 'plain', text: plain });
    plain = '';
    pieces.push({ kind, text });
  };
  for (let at = 0; at < code.length; ) {
    const char = code.charAt(at);
    const next = code.charAt(at + 1);
    if (char === '/' && (next === '/' || next === '*')) {
      const end = commentEnd(code, at);
      push('comment', code.slice(at, end));
      at = end;
    } else if (char === '"' || char === "'" || char === '`') {
      const end = stringEnd(code, at, char);
      push('string', code.slice(at, end));
      at = end;
    } else if (isWord(char)) {
      let end = at + 1;
      while (end < code.length && isWord(code.charAt(end))) end++;
      const word = code.slice(at, end);
      const kind = kindOf(word, code.charAt(end));
      if (kind === 'plain') plain += word;
      else push(kind, word);
      at = end;
    } else {
      plain += char;
      at++;
    }
  }
  if (plain !== '') pieces.push({ kind: 'plain', text: plain });
  return pieces;
}

function kindOf(word: string, next: string): CodePiece['kind'] {
  if (word >= '0' && word < ':') return 'number';
  if (KEYWORDS.has(word)) return 'keyword';
  return next === '(' ? 'call' : 'plain';
}

function commentEnd(code: string, start: number): number {
  const close = code.charAt(start + 1) === '/' ? code.indexOf('\n', start) : code.indexOf('*/', start + 2) + 2;
  return close < start + 2 ? code.length : close;
}

function stringEnd(code: string, start: number, quote: string): number {
  for (let at = start + 1; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === '\\') at++;
    else if (char === quote) return at + 1;
    else if (char === '\n' && quote !== '`') return at;
  }
  return code.length;
}

function isWord(char: string): boolean {
  return (
    (char >= 'a' && char <= 'z') ||
    (char >= 'A' && char <= 'Z') ||
    (char >= '0' && char <= '9') ||
    char === '_' ||
    char === '$'
  );
}
