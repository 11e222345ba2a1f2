// A search strategy over Postgres full-text search, for an organisation whose catalog is larger than a window should index.
// `docs/postgres.md` explains it; `test/unit/docs/postgresStrategy.test.ts` runs it against a real Postgres.

import type { ExternalStrategy } from '../../src/api';

/** Creates the table. A tool's name weighs most, its arguments least. Run it once, for example in a migration. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tools (
    id text PRIMARY KEY,
    server text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    arguments text NOT NULL,
    words tsvector GENERATED ALWAYS AS (
      setweight(to_tsvector('english', translate(regexp_replace(name, '([a-z])([A-Z])', '\\1 \\2', 'g'), '_-./', '    ')), 'A') ||
      setweight(to_tsvector('english', description), 'B') ||
      setweight(to_tsvector('english', arguments), 'C')
    ) STORED
  );
  CREATE INDEX IF NOT EXISTS tools_words ON tools USING gin (words);
`;

const UPSERT = `
  INSERT INTO tools (id, server, name, description, arguments)
  SELECT * FROM jsonb_to_recordset($1) AS tool(id text, server text, name text, description text, arguments text)
  ON CONFLICT (id) DO UPDATE
  SET server = excluded.server, name = excluded.name, description = excluded.description, arguments = excluded.arguments
`;

/** Any of the words may match: what people write has more words than a tool's description. */
const SEARCH = `
  WITH asked AS (
    SELECT string_agg(replace(plainto_tsquery('english', query)::text, '&', '|'), '|')::tsquery AS words
    FROM unnest($1::text[]) AS query WHERE numnode(plainto_tsquery('english', query)) > 0
  )
  SELECT id FROM tools, asked
  WHERE tools.words @@ asked.words AND server = ANY($2)
  ORDER BY ts_rank(ARRAY[0.1, 0.2, 0.5, 1], tools.words, asked.words, 1) DESC, id
  LIMIT $3
`;

/** Of more hits than asked for, those that this window has are returned. */
const SPARE = 10;

/** A connection to Postgres: a `Pool` of the package `pg`, for example. */
export interface Queryable {
  query(sql: string, parameters: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A tool, as `tools/list` of its server has it, and its id: `server/name`. */
interface StoredTool {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties?: unknown };
}

/** Writes tools into the table, for example each night. */
export async function storeTools(pool: Queryable, tools: readonly StoredTool[]): Promise<void> {
  const rows = tools.map(({ id, server, name, description, inputSchema }) => ({
    id,
    server,
    name,
    description,
    arguments: Object.keys(inputSchema.properties ?? {}).join(' '),
  }));
  await pool.query(UPSERT, [JSON.stringify(rows)]);
}

/** Makes the strategy. */
export function postgresStrategy(pool: Queryable): ExternalStrategy {
  return async (queries, tools, signal, { limit, deferred }) => {
    const servers = [...new Set(tools.map(({ server }) => server))];
    const { rows } = await pool.query(SEARCH, [queries, servers, limit * SPARE]);
    // The search may be over by now, and the table may know tools that this window doesn't have.
    signal.throwIfAborted();
    const ids = (rows as readonly { readonly id: string }[]).map(({ id }) => id);
    return ids.filter((id) => deferred.has(id)).slice(0, limit);
  };
}
