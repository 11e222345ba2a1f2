/** What a query asks for beside its words. */
export interface ParsedQuery {
  /** `select:a,b`: exactly these names, in this order. */
  readonly select?: readonly string[];
  /** `+word`: every hit must contain it. */
  readonly must: readonly string[];
  /** The query without marks, `must` words included. */
  readonly text: string;
}

const SELECT = /^\s*select:\s*(.*)$/is;
/** A plus glued to the front of a word. A letter must follow, since `+1 555 0100` is a telephone number. */
const MUST = /(^|\s)\+(\p{L}[^\s,;]*)/gu;

/** Reads the marks that models of other tool searches know: `select:a,b` and `+must`. */
export function parseQuery(query: string): ParsedQuery {
  const select = SELECT.exec(query);
  if (select) {
    const names = (select[1] ?? '')
      .split(/[,\n]/)
      .map((name) => name.trim().replace(/^["'`]+|["'`]+$/g, ''))
      .filter((name) => name !== '');
    return { select: [...new Set(names)], must: [], text: names.join(' ') };
  }
  const must = [...query.matchAll(MUST)].map((match) => match[2] as string);
  return { must, text: query.replace(MUST, '$1$2') };
}
