/**
 * The services' own tool search, as far as it is known. It searches names, descriptions, argument names and argument
 * descriptions, ignores case, and returns five results by default.
 */
const DEFAULT_LIMIT = 5;
const MAX_PATTERN = 200;
const MAX_QUERY = 500;
/** The usual constants of BM25. */
const K1 = 1.2;
const B = 0.75;

/** The text of a tool `{name, description, schema}` that is searched. */
function searchText(tool) {
  const lines = [tool.name, tool.description ?? ''];
  const visit = (schema) => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, value] of Object.entries(schema.properties ?? {})) {
      lines.push(name, typeof value?.description === 'string' ? value.description : '');
      visit(value);
    }
    visit(schema.items);
  };
  visit(tool.schema);
  return lines.filter((line) => line !== '').join('\n');
}

/** Lower-case words. Identifiers are split at separators and before capitals. */
export function words(text) {
  return (
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Returns `{ok: true, found}`, best first, or `{ok: false, code, message}` as the service's search tool reports it. */
export function searchTools(strategy, input, tools) {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    return bad('limit must be an integer between 1 and 10000');
  if (strategy === 'regex') return byPattern(input.pattern, limit, tools);
  if (typeof input.query !== 'string' || input.query === '') return bad('query must be a non-empty string');
  if (input.query.length > MAX_QUERY) return bad(`query exceeds the maximum length of ${MAX_QUERY} characters`);
  return { ok: true, found: rank(input.query, tools).slice(0, limit) };
}

function byPattern(pattern, limit, tools) {
  if (typeof pattern !== 'string' || pattern === '') return bad('pattern must be a non-empty string');
  if (pattern.length > MAX_PATTERN) return bad(`pattern exceeds the maximum length of ${MAX_PATTERN} characters`);
  try {
    const regex = new RegExp(pattern.replace(/^\(\?i\)/, ''), 'i');
    return { ok: true, found: tools.filter((tool) => regex.test(searchText(tool))).slice(0, limit) };
  } catch {
    return bad(`invalid regular expression: ${pattern}`);
  }
}

/** All tools that contain a word of the query, best first. Equal tools keep the request's order. */
export function rank(query, tools) {
  const documents = tools.map((tool) => words(searchText(tool)));
  const mean = documents.reduce((sum, document) => sum + document.length, 0) / Math.max(1, documents.length);
  const scores = documents.map(() => 0);
  for (const term of new Set(words(query))) {
    const counts = documents.map((document) => document.filter((word) => word === term).length);
    const having = counts.filter((count) => count > 0).length;
    const idf = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    counts.forEach((count, index) => {
      const length = documents[index]?.length ?? 0;
      scores[index] += (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / Math.max(1, mean)));
    });
  }
  return tools
    .map((tool, index) => ({ tool, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

const bad = (message) => ({ ok: false, code: 'invalid_tool_input', message });
